import { BtError } from "../../errors.ts";
import { PERSON_ROLES } from "../../wire/search-names.ts";
import { requireField } from "../catalog.ts";
import { readDate, wireMoment } from "../query/dates.ts";
import { reversedRangeError } from "../query/range.ts";
import { resolveChange } from "../query/resolve-change.ts";
import { allOf, anyOf, type ChangeParts, type Query, type QueryContext } from "../query/tree.ts";
import { checkDate, operatorMeaning, serverMoment } from "./operators.ts";
import type { OtherParameters } from "./parameters.ts";

/** Parameters of the search page's form for changes. */
export const CHANGE_FORM = ["chfield", "chfieldfrom", "chfieldto", "chfieldvalue"] as const;

/**
 * Meaning of the form for changes; undefined if its dates have no equivalent. Dates alone refer to the last change.
 * @throws BtError of kind usage for a field or value alone, which the server would ignore
 */
export function changeFormMeaning(form: OtherParameters, context: QueryContext): Query | undefined {
  const first = (name: (typeof CHANGE_FORM)[number]): string => form.get(name)?.[0] ?? "";
  const fields = (form.get("chfield") ?? []).filter((name) => name !== "");
  const [from, to, value] = [first("chfieldfrom"), first("chfieldto"), first("chfieldvalue")];
  if (fields.length === 0 && value !== "") throw ignored("chfieldvalue", "chfield");
  if (fields.length > 0 && [from, to, value].every((text) => text === ""))
    throw ignored("chfield", "chfieldfrom or chfieldvalue");
  checkOrder(from, to, context);
  const span = spanOf(from, to, context);
  if (span === undefined) return undefined;
  if (fields.length === 0) return timeQuery("last_change_time", span, context);
  const parts: ChangeParts = { ...span, ...(value === "" ? {} : { to: value }) };
  return anyOf(
    fields.map((name) =>
      name.toLowerCase() === "[bug creation]"
        ? timeQuery("creation_time", span, context)
        : resolveChange({ kind: "change", field: name, ...parts }, context),
    ),
  );
}

function ignored(name: string, partner: string): BtError {
  return new BtError("usage", `"${name}" has no effect alone; the tracker would ignore it`, {
    hint: `add ${partner}`,
  });
}

type Span = { readonly since?: string; readonly before?: string };

/** The last day of the form is inclusive; "now" as an end is no bound. */
function spanOf(from: string, to: string, context: QueryContext): Span | undefined {
  for (const date of [from, to].filter((text) => text !== "")) checkDate(date);
  const since = from === "" ? "" : serverMoment(from, context);
  const isNow = to === "" || to.toLowerCase() === "now";
  const before = isNow ? "" : serverMoment(to, context);
  if (since === undefined || before === undefined) return undefined;
  const end = (): string => wireMoment(readDate(/^\d{4}-\d\d-\d\d$/.test(to) ? to : before, context).end);
  return {
    ...(since === "" ? {} : { since: wireMoment(readDate(since, context).start) }),
    ...(isNow ? {} : { before: end() }),
  };
}

/**
 * Rejects an end before the start, if both are dates of this language.
 * @throws BtError of kind usage
 */
export function checkOrder(from: string, to: string, context: QueryContext): void {
  const moment = (text: string) =>
    /^now$/i.test(text) ? "now" : serverMoment(text, { ...context, isForeignClock: false });
  const [since, before] = [moment(from), moment(to)];
  if (since === undefined || before === undefined) return;
  const end = /^\d{4}-\d\d-\d\d$/.test(to) ? to : before;
  if (readDate(since, context).start >= readDate(end, context).end) throw reversedRangeError(from, to);
}

function timeQuery(name: string, { since, before }: Span, { catalog }: QueryContext): Query {
  const field = requireField(catalog, name);
  return allOf([
    ...(since === undefined ? [] : [{ kind: "test", field, op: ">=", values: [since] } as const]),
    ...(before === undefined ? [] : [{ kind: "test", field, op: "<", values: [before] } as const]),
  ]);
}

/** Number of the people form that a parameter belongs to (`email1`, `emailtype1`, `emailcc1`); undefined for others. */
export function peopleFormOf(name: string): string | undefined {
  return PEOPLE_FORM.exec(name)?.[2];
}

const PEOPLE_FORM = new RegExp(`^email(type|${[...PERSON_ROLES.keys()].join("|")})?(\\d+)$`);

/** Meaning of one people form: a user in any of the chosen roles; undefined if it has no equivalent. */
export function peopleFormMeaning(form: OtherParameters, number: string, context: QueryContext): Query | undefined {
  const first = (name: string): string => form.get(`${name}${number}`)?.[0] ?? "";
  const roles = [...PERSON_ROLES].filter(([role]) => ["1", "on"].includes(first(`email${role}`)));
  if (first("email").trim() === "") return allOf([]);
  if (roles.length === 0) throw ignored(`email${number}`, `emailassigned_to${number}=1 or another role`);
  const type = first("emailtype") || "substring";
  const operator = type === "exact" ? "equals" : type;
  const meanings = roles.map(([, name]) =>
    operatorMeaning({ field: requireField(context.catalog, name), operator, values: [first("email")] }, context),
  );
  return meanings.every((meaning) => meaning !== undefined) ? anyOf(meanings) : undefined;
}
