import { BtError, LOG_IN, usageError } from "../../errors.ts";
import type { Family } from "../../wire/bug-fields.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { HOUR_MS, timestamp } from "../../wire/time.ts";
import { type CatalogField, legalValue, requireField, standardFields, valueNoun } from "../catalog/catalog.ts";
import { partition } from "../lists.ts";
import { suggestNames } from "../nearest.ts";
import { dayBounds, isRelative, readDate } from "./dates.ts";
import { type Draft, dayRows, momentRows, numberRows, personRows, specialRows } from "./rows.ts";
import {
  allOf,
  anyOf,
  NO_BUG,
  notOf,
  type Op,
  type Query,
  type QueryContext,
  type Test,
  type TypedOp,
} from "./tree.ts";

/** A comparison of a field, with values as typed. */
export type Comparison = {
  readonly field: CatalogField;
  readonly op: TypedOp;
  readonly values: readonly string[];
  readonly context: QueryContext;
};

/** A kind of field: its operators, and what comparisons with it mean. */
export type FamilyRow = {
  readonly ops: string; // as in a hint
  readonly read?: (text: string, comparison: Comparison) => string | readonly string[]; // of = and of orders; absent: trimmed
  readonly query?: (comparison: Comparison) => Query; // absent: one test
  readonly rows?: (test: Test, now: Date, isNegated: boolean) => Draft; // Bugzilla's; absent: of any field
  readonly item?: (text: string) => string | number; // what is compared here; absent: text, ignoring case
};

const LIKE = "= ~ =~ ^= $=";
const ORDER = "= > >= < <=";

const PERSON: FamilyRow = { ops: LIKE, read: loginText, query: personQuery, rows: personRows };
const CHOICE: FamilyRow = { ops: LIKE, read: (text, { field }) => legalValue(field, text), query: choiceQuery };

// biome-ignore format: a table
export const FAMILIES: Readonly<Record<Family, FamilyRow>> = {
  text:     { ops: LIKE },
  texts:    { ops: LIKE, read: listedText },
  person:   PERSON,
  people:   PERSON,
  choice:   CHOICE,
  choices:  CHOICE,
  ranked:   { ...CHOICE, ops: `${LIKE} > >= < <=`, query: rankQuery },
  number:   { ops: ORDER, read: numberText, rows: numberRows, item: Number },
  numbers:  { ops: "=", read: numberText, item: Number },
  "yes-no": { ops: "=", query: yesNoQuery },
  moment:   { ops: `: ${ORDER}`, query: periodsQuery, rows: momentRows, item: Date.parse },
  day:      { ops: `: ${ORDER}`, query: periodsQuery, rows: dayRows, item: customDay },
  special:  { ops: "~ > >= < <=", query: specialQuery, rows: specialRows },
};

/**
 * The query that a comparison means, by the family of its field. ":" is an operator of dates; of texts it is "contains", else "=".
 * @throws BtError of kind usage for an operator that the family lacks, or a value that it refuses
 */
export function comparisonQuery(given: Comparison): Query {
  const { family, chart } = given.field;
  const { ops, query = plainQuery } = FAMILIES[family];
  const known = ops.split(" ");
  const natural = family === "text" || PROSE.has(chart) ? "~" : "=";
  const op = given.op === ":" && !known.includes(":") ? natural : given.op;
  if (!known.includes(op)) throw unsupported(given);
  return query({ ...given, op });
}

/** Internal names of lists of texts, and of words, whose natural comparison is "contains". */
const PROSE: ReadonlySet<string> = new Set([
  "longdesc", "attachments.description", "attach_data.thedata", "attachments.filename", "attachments.mimetype", "see_also", "content",
]); // biome-ignore format: a list

function unsupported({ field, op }: Comparison): BtError {
  return usageError(`"${op}" is not supported for ${field.api}`, `use ${FAMILIES[field.family].ops}`);
}

/**
 * The query of a family without one of its own: "=" is one test that any of the values meets; other
 * operators are a test for each value.
 */
function plainQuery(comparison: Comparison): Query {
  const { field, values } = comparison;
  const op = comparison.op as Op;
  const { read = (text) => text.trim() } = FAMILIES[field.family];
  const isPattern = /^[~^$]|=~/.test(op); // the text is as typed
  const texts = isPattern ? values : values.flatMap((value) => read(value, comparison));
  return op === "=" ? test(field, op, texts) : anyOf(texts.map((value) => test(field, op, [value])));
}

/** A test of a standard field. */
export function fieldTest(name: string, op: Op, ...values: readonly string[]): Test {
  return test(requireField(standardFields(), name), op, values);
}

export function test(field: CatalogField, op: Op, values: readonly string[]): Test {
  return { kind: "test", field, op, values: [...new Set(values)] };
}

/** An item of a list; a flag without a status means any status. */
function listedText(text: string, { field }: Comparison): string | readonly string[] {
  if (field.chart !== "flagtypes.name") return PROSE.has(field.chart) ? text.trim() : legalValue(field, text.trim());
  const [, name = text, status] = /^(.*)([?+-])$/s.exec(text.trim()) ?? [];
  const known = legalValue(field, name.trim());
  return (status ? [status] : ["?", "+", "-"]).map((one) => `${known}${one}`);
}

/** An open bug has the resolution "", which the tracker shows as `---`: both mean "empty". */
function choiceQuery(comparison: Comparison): Query {
  const { field, op } = comparison;
  const hasBlank = op === "=" && field.values.some(({ name }) => name === "");
  const [unset, values] = partition(comparison.values, (value) => hasBlank && value === "---");
  const tests = unset.length > 0 ? [test(field, "empty", [])] : [];
  return anyOf(values.length > 0 ? [...tests, plainQuery({ ...comparison, values })] : tests);
}

/** `>= High` is High and the ranks above it; the value for "no priority" has no rank. */
function rankQuery(comparison: Comparison): Query {
  const { field, op, values } = comparison;
  if (!/^[<>]/.test(op)) return choiceQuery(comparison);
  const ranked = field.values.map(({ name }) => name).filter((name) => name !== "---");
  const rank = ranked.indexOf(legalValue(field, values[0] ?? ""));
  if (rank < 0) throw usageError(`${values[0]} has no rank among the values of ${valueNoun(field)}`);
  const included = op.endsWith("=") ? 1 : 0; // the rank itself
  const chosen = op.startsWith(">") ? ranked.slice(0, rank + included) : ranked.slice(rank + 1 - included);
  return chosen.length > 0 ? test(field, "=", chosen) : NO_BUG;
}

function numberText(text: string, { field, op }: Comparison): string {
  return /^[<>]/.test(op) && text === "0" ? text : readNumber(field, text);
}

/**
 * A number, or the number of a bug for a field of bugs, without the "#" before it.
 * @throws BtError of kind usage
 */
export function readNumber(field: CatalogField, text: string): string {
  const digits = text.trim().replace(/^#(?=\d)/, "");
  const isId = field.family === "numbers" || field.chart === "bug_id";
  const isNumber = isId ? /^[1-9]\d{0,14}$/.test(digits) : /^-?\d{1,15}(\.\d{1,6})?$/.test(digits);
  if (isNumber) return digits;
  throw usageError(
    `"${text}" is not a ${isId ? "bug number" : `number, as ${field.api} needs`}`,
    isId ? "use a number such as 44, several: 44,45, or a range: id:44..50" : undefined,
  );
}

/** "No" is the negation of "yes", so that a bug without attachments matches "no patch". */
function yesNoQuery({ field, values }: Comparison): Query {
  const yes = test(field, "=", ["1"]);
  return anyOf(values.map((value) => (readYesOrNo(field, value) ? yes : notOf<Test>(yes))));
}

/**
 * Meaning of yes, true and 1, and of no, false and 0.
 * @throws BtError of kind usage
 */
export function readYesOrNo(field: CatalogField, text: string): boolean {
  const word = text.toLowerCase();
  if (["yes", "true", "1"].includes(word)) return true;
  if (["no", "false", "0"].includes(word)) return false;
  throw usageError(`${field.api} must be yes or no, not "${text}"`);
}

function personQuery(comparison: Comparison): Query {
  const { field, op, values } = comparison;
  const isPattern = op !== "=";
  if (isPattern && values.some((value) => /^@(?:group\.|(?:me|reporter|assignee|qa)$)/i.test(value)))
    throw usageError("@me and similar names mean a complete login", `use ${field.api} = @me`);
  if (/^(?:requestee|setter)s\./.test(field.chart) && values.some((value) => value.startsWith("@group.")))
    throw usageError("flags cannot be searched by group", "list the users");
  // each commenter apart: Bugzilla loses bugs where rows on several pronouns are joined by "or"
  if (field.chart === "commenter") return anyOf(values.map((value) => plainQuery({ ...comparison, values: [value] })));
  return plainQuery(comparison);
}

/** Login or pronoun; the own login where servers do not know `@me`, or negate it wrongly. */
function loginText(text: string, { field, context }: Comparison): string {
  const name = wireLogin(text);
  if (field.chart === "attachments.submitter") return loginOrMe(name, `${field.api} =`, context);
  return field.chart === "commenter" && name === PRONOUNS.me ? (context.me ?? name) : name;
}

/** The login that a name stands for in a place where `@me` is the only pronoun. */
export function loginOrMe(name: string, place: string, { me }: { readonly me?: string | undefined }): string {
  if (name === PRONOUNS.me && me !== undefined) return me;
  if (name === PRONOUNS.me) throw new BtError("auth", "searching for @me requires a login", { hint: LOG_IN });
  if (!name.startsWith("%")) return name;
  throw usageError(`${personWord(name)} cannot be used in ${place}`, "use a login, or @me");
}

/**
 * Login as sent: `@me`, `@reporter`, `@assignee`, `@qa` and `@group.NAME` become pronouns.
 * @see https://bugzilla.readthedocs.io/en/5.2/using/finding.html
 */
export function wireLogin(text: string): string {
  const name = text.trim();
  if (/[\s:]/.test(name))
    throw usageError(
      `"${text}" is not a login`,
      `bt user search ${/\s/.test(name) ? `"${name}"` : name} shows the login`,
    );
  if (!name.startsWith("@")) return name;
  const [, group] = /^@group\.(.+)$/i.exec(name) ?? [];
  const pronoun = Object.entries(PRONOUNS).find(([word]) => `@${word}` === name.toLowerCase())?.[1];
  if (group === undefined && pronoun === undefined)
    throw usageError(
      `unknown name "${text}"`,
      suggestNames(name, ["@me", "@reporter", "@assignee", "@qa", "@group.NAME"]),
    );
  return pronoun ?? `%group.${group}%`;
}

/** `%user%` as `@me`, and so on; other names are unchanged. */
export function personWord(name: string): string {
  const [found] = Object.entries(PRONOUNS).find(([, pronoun]) => pronoun === name) ?? [];
  return found === undefined ? name.replace(/^%group\.(.+)%$/, "@group.$1") : `@${found}`;
}

function periodsQuery(comparison: Comparison): Query {
  return anyOf(comparison.values.map((value) => periodQuery(value, comparison)));
}

/**
 * A date is a period: `=` is within it, `>` after its end, `<=` up to its end. After ":" a span
 * such as -2w means since then (for a field of days only if it is past), a date the period alone.
 */
function periodQuery(value: string, { field, op, context }: Comparison): Query {
  const isDay = field.family === "day";
  const period = readDate(value, context, isDay ? "coming" : "last");
  const { start, end } = isDay
    ? dayBounds(period, context.zone)
    : { start: timestamp(period.start), end: timestamp(period.end) };
  const isSince = op === ":" && isRelative(value) && (!isDay || period.start < context.now.getTime());
  if (isSince || op.startsWith(">")) return test(field, ">=", [op === ">" ? end : start]);
  if (op.startsWith("<")) return test(field, "<", [op === "<" ? start : end]);
  return allOf([test(field, ">=", [start]), test(field, "<", [end])]);
}

/** Full text, and durations such as 4w. */
function specialQuery(comparison: Comparison): Query {
  const { field, op, values } = comparison;
  const [value = ""] = values;
  if ((field.chart === "content") !== (op === "~")) throw unsupported(comparison);
  if (op === "~") return test(field, op, [value]);
  const [, digits, unit = ""] = /^-?(\d{1,4})(h|d|w|mo|y)$/.exec(value.toLowerCase()) ?? [];
  if (digits !== undefined) return test(field, op as Op, [`${digits}${unit === "mo" ? "m" : unit}`]);
  throw usageError(`${field.api} requires a duration`, `use ${field.api} > 4w (h d w mo y)`);
}

/** Day of a custom date, which is returned as midnight of the server's zone in UTC. */
function customDay(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : new Date(Date.parse(text) + 12 * HOUR_MS).toISOString().slice(0, 10);
}
