import type { Asking } from "../asking.ts";
import { type Condition, group, row } from "../condition.ts";
import { isDate } from "../dates.ts";
import { filledTexts, oneText, type Values } from "./values.ts";

/**
 * The conditions of `chfield` (repeatable, `[Bug creation]` too), `chfieldvalue`, `chfieldfrom` and `chfieldto`: one of the
 * fields was changed to the value between the two, by one and the same change. Only dates mean the last change.
 */
export function changedConditions(asking: Asking, values: Values): readonly Condition[] {
  const fields = filledTexts(values, "chfield").map((field) => (field === "[Bug creation]" ? "creation_ts" : field));
  const to = oneText(values, "chfieldvalue");
  const from = dateOf(asking, values, "chfieldfrom");
  const until = dateOf(asking, values, "chfieldto");
  tellIgnored(asking, { hasFields: fields.length > 0, isLimited: `${to}${from}${until}` !== "" });
  const changes = fields.map((field) =>
    group("AND_G", [
      ...(to === "" ? [] : [row(field, "changedto", to)]),
      ...(from === "" ? [] : [row(field, "changedafter", from)]),
      ...(until === "" ? [] : [row(field, "changedbefore", wholeDay(until))]),
    ]),
  );
  return [
    ...(from === "" ? [] : [row("delta_ts", "greaterthaneq", from)]),
    ...(until === "" || fields.length > 0 || to !== "" ? [] : [row("delta_ts", "lessthaneq", until)]),
    group("OR", changes),
  ];
}

// "Now" as an end is no limit.
function dateOf(asking: Asking, values: Values, name: string): string {
  const text = oneText(values, name).toLowerCase();
  if (text !== "" && !isDate(text, asking.now)) asking.ignore(name, `'${text}' is not a date`);
  return text === "now" ? "" : text;
}

function tellIgnored(
  { ignore }: Asking,
  { hasFields, isLimited }: { readonly hasFields: boolean; readonly isLimited: boolean },
): void {
  if (hasFields && !isLimited) ignore("chfield", "it needs a value or a date");
}

function wholeDay(date: string): string {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) ? `${date} 23:59:59` : date;
}
