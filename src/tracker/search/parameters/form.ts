import { type Condition, criterion, joinConditions } from "../condition.ts";
import { isSwitchedOn, joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";
import { isSearchDate } from "../dates.ts";

/**
 * The conditions of `chfield` (repeatable, `[Bug creation]` too), `chfieldvalue`, `chfieldfrom` and `chfieldto`: one of the
 * fields was changed to the value between the two, by one and the same change. Only dates mean the last change.
 */
export function changedConditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  const fields = nonEmptyTexts(values, "chfield").map((field) => (field === "[Bug creation]" ? "creation_ts" : field));
  const to = joinedText(values, "chfieldvalue");
  const from = dateOf(asking, values, "chfieldfrom");
  const until = dateOf(asking, values, "chfieldto");
  tellIgnored(asking, { hasFields: fields.length > 0, isLimited: `${to}${from}${until}` !== "" });
  const changes = fields.map((field) =>
    joinConditions("AND_G", [
      ...(to === "" ? [] : [criterion(field, "changedto", to)]),
      ...(from === "" ? [] : [criterion(field, "changedafter", from)]),
      ...(until === "" ? [] : [criterion(field, "changedbefore", wholeDay(until))]),
    ]),
  );
  return [
    ...(from === "" ? [] : [criterion("delta_ts", "greaterthaneq", from)]),
    ...(until === "" || fields.length > 0 || to !== "" ? [] : [criterion("delta_ts", "lessthaneq", until)]),
    joinConditions("OR", changes),
  ];
}

// "Now" as an end is no limit.
function dateOf(asking: SearchContext, values: ParameterValues, name: string): string {
  const text = joinedText(values, name).toLowerCase();
  if (text !== "" && !isSearchDate(text, asking.now)) asking.ignore(name, `'${text}' is not a date`);
  return text === "now" ? "" : text;
}

function tellIgnored(
  { ignore }: SearchContext,
  { hasFields, isLimited }: { readonly hasFields: boolean; readonly isLimited: boolean },
): void {
  if (hasFields && !isLimited) ignore("chfield", "it needs a value or a date");
}

function wholeDay(date: string): string {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) ? `${date} 23:59:59` : date;
}

/** The conditions of `email1` with `emailtype1`: somebody in one of the roles that are switched on (`emailcc1=1`). */
export function peopleConditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  return [...values.keys()]
    .flatMap((name) => /^email(\d+)$/.exec(name)?.[1] ?? [])
    .flatMap((id) => {
      const who = joinedText(values, `email${id}`);
      const type = joinedText(values, `emailtype${id}`) || "anyexact";
      const roles = IN_ROLE.filter(([role]) => isSwitchedOn(values, `email${role}${id}`));
      if (who === "" || roles.length === 0) {
        asking.ignore(`email${id}`, "it needs a name and a role");
        return [];
      }
      return [
        joinConditions(
          "OR",
          roles.map(([, field]) => criterion(field, type === "exact" ? "equals" : type, who)),
        ),
      ];
    });
}

const IN_ROLE = [
  ["assigned_to", "assigned_to"],
  ["reporter", "reporter"],
  ["qa_contact", "qa_contact"],
  ["cc", "cc"],
  ["longdesc", "commenter"],
] as const;

/** The conditions of `deadlinefrom` and `deadlineto`, both inclusive. */
export function deadlineConditions(values: ParameterValues): readonly Condition[] {
  return ENDS.flatMap(([parameter, operator]) => {
    const day = joinedText(values, parameter);
    return day === "" ? [] : [criterion("deadline", operator, day)];
  });
}

const ENDS = [
  ["deadlinefrom", "greaterthaneq"],
  ["deadlineto", "lessthaneq"],
] as const;
