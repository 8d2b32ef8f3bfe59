import { type Condition, criterion, joinConditions } from "../condition.ts";
import { isSwitchedOn, joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";
import { isSearchDate } from "../dates.ts";
import { ROLE_FIELDS } from "./rows.ts";

/**
 * Conditions of `chfield` (repeatable; `[Bug creation]` too), `chfieldvalue`, `chfieldfrom` and `chfieldto`: a single change
 * of one of the fields to the value between the dates. Dates alone are about the last change.
 * @see Bugzilla/Search.pm, _special_parse_chfield
 */
export function changedConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const fields = nonEmptyTexts(values, "chfield").map((field) => (field === "[Bug creation]" ? "creation_ts" : field));
  const to = joinedText(values, "chfieldvalue");
  const from = readDate(context, values, "chfieldfrom");
  const before = readDate(context, values, "chfieldto");
  reportIgnoredFields(context, { hasFields: fields.length > 0, isLimited: `${to}${from}${before}` !== "" });
  const changes = fields.map((field) =>
    joinConditions("AND_G", [
      ...(to === "" ? [] : [criterion(field, "changedto", to)]),
      ...(from === "" ? [] : [criterion(field, "changedafter", from)]),
      ...(before === "" ? [] : [criterion(field, "changedbefore", wholeDay(before))]),
    ]),
  );
  return [
    ...(from === "" ? [] : [criterion("delta_ts", "greaterthaneq", from)]),
    ...(before === "" || fields.length > 0 || to !== "" ? [] : [criterion("delta_ts", "lessthaneq", before)]),
    joinConditions("OR", changes),
  ];
}

// `now` is no limit.
function readDate(context: SearchContext, values: ParameterValues, name: string): string {
  const text = joinedText(values, name).toLowerCase();
  if (text !== "" && !isSearchDate(text, context.now)) context.reportIgnored(name, `'${text}' is not a date`);
  return text === "now" ? "" : text;
}

function reportIgnoredFields(
  { reportIgnored }: SearchContext,
  { hasFields, isLimited }: { hasFields: boolean; isLimited: boolean },
): void {
  if (hasFields && !isLimited) reportIgnored("chfield", "it needs a value or a date");
}

function wholeDay(date: string): string {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) ? `${date} 23:59:59` : date;
}

/** Conditions of `email1` with `emailtype1`: a matching user in one of the enabled roles (`emailcc1=1`). */
export function peopleConditions(context: SearchContext, values: ParameterValues): Condition[] {
  return [...values.keys()]
    .flatMap((name) => /^email(\d+)$/.exec(name)?.[1] ?? [])
    .flatMap((id) => {
      const user = joinedText(values, `email${id}`);
      const type = joinedText(values, `emailtype${id}`) || "anyexact";
      const roles = ROLE_FIELDS.filter((role) => isSwitchedOn(values, `email${role}${id}`));
      if (user === "" || roles.length === 0) {
        context.reportIgnored(`email${id}`, "it needs a name and a role");
        return [];
      }
      return [
        joinConditions(
          "OR",
          roles.map((role) =>
            criterion(role === "longdesc" ? "commenter" : role, type === "exact" ? "equals" : type, user),
          ),
        ),
      ];
    });
}

/** Conditions of the first and the last day of the deadline, both inclusive. */
export function dueDayConditions(values: ParameterValues): Condition[] {
  const found: Condition[] = [];
  for (const [parameter, operator] of DEADLINE_LIMITS) {
    const day = joinedText(values, parameter);
    if (day !== "") found.push(criterion("deadline", operator, day));
  }
  return found;
}

const DEADLINE_LIMITS = [
  ["deadlinefrom", "greaterthaneq"],
  ["deadlineto", "lessthaneq"],
] as const;

/** The parameters that limit the deadline. */
export const DUE_DAY_PARAMETERS: readonly string[] = DEADLINE_LIMITS.map(([name]) => name);
