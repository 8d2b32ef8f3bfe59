import { BtError } from "../../errors.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import { timestamp } from "../../wire/time.ts";
import type { CatalogField } from "../catalog/catalog.ts";
import { legalNames, legalValue, valueNoun } from "../catalog/legal-values.ts";
import { partition } from "../lists.ts";
import { daysOfPeriod, isRelative, readDate, type TimePeriod } from "./dates.ts";
import { isPersonWord, plainLogin } from "./resolve-change.ts";
import { allOf, anyOf, type Comparison, notOf, type Query, type QueryContext, type Term } from "./tree.ts";
import { readNumber, readYesOrNo } from "./typed-values.ts";
import { unparseTree } from "./unparse.ts";

/**
 * Comparison of a field with values, by the field's family; `product` is the only one whose bugs can match.
 * @throws BtError of kind usage for a comparison that makes no sense
 */
export function comparisonTree(field: CatalogField, term: Test, context: QueryContext, product?: string): Query {
  return COMPARE[field.family]({ field, name: term.field, op: term.op, values: term.values, context, product });
}

type Test = Term & { kind: "test" };

type ComparisonInput = {
  field: CatalogField;
  name: string; // of the field, as it was typed
  op: Comparison;
  values: readonly string[];
  context: QueryContext;
  product?: string | undefined;
};

function textQuery({ field, op, values }: ComparisonInput): Query {
  if (op === "any" || op === "all") return testQuery(field, op, values.map(singleWord));
  if (op === "=") return testQuery(field, "=", values.map(trimmed));
  const like = op === ":" ? "~" : op;
  if (isOneOf(LIKE, like)) return anyOf(values.map((value) => testQuery(field, like, [value])));
  throw unsupportedComparisonError(field, op, "use = ~ =~ ^= $=");
}

const LIKE = ["~", "=~", "^=", "$="] as const;

/** Lists are compared by item: `=` and `:` match an item, `all` several of them. */
function itemQuery(input: ComparisonInput, read: (text: string) => string): Query {
  const { field, op, values } = input;
  if (op === "=" || op === ":" || op === "any") return testQuery(field, "=", values.map(read));
  if (op === "all") return allOf(values.map((value) => testQuery(field, "=", [read(value)])));
  if (isOneOf(LIKE, op)) return textQuery(input);
  throw unsupportedComparisonError(field, op, "use = ~ =~ ^= $=, or in (a, b)");
}

/** An open bug has the resolution "", which the tracker shows as `---`: both match as "empty". */
function choiceQuery(input: ComparisonInput): Query {
  const { field, values } = input;
  const hasBlank = values.includes("---") && field.values.some(({ name }) => name === "");
  const set = hasBlank ? values.filter((text) => text !== "---") : values;
  const trees: Query[] = hasBlank ? [testQuery(field, "empty", [])] : [];
  if (set.length > 0) trees.push(itemQuery({ ...input, values: set }, (text) => legalChoice(field, text, input)));
  return anyOf(trees);
}

/** Rejects "open" with a hint: it denotes several statuses and is the name of none. */
function legalChoice(field: CatalogField, text: string, { product, context }: ComparisonInput): string {
  const word = text.toLowerCase().replace(/^@/, "");
  const isState = field.chart === "bug_status" && ["open", "closed", "all", "any"].includes(word);
  if (!isState || legalNames(field)?.some((name) => name.toLowerCase() === word))
    return legalValue(field, text, { product, isSearch: true, catalog: context.catalog });
  throw new BtError("usage", `unknown status "${text}"`, {
    hint: /^a/.test(word)
      ? "for bugs of any status: --status all"
      : `for all ${word} bugs: is:${word}, or --status ${word}`,
  });
}

function textsQuery(input: ComparisonInput): Query {
  if (input.op === ":" && PROSE.has(input.field.chart)) return textQuery(input);
  if ((input.op === "any" || input.op === "all") && WORDY.has(input.field.chart)) return wordsQuery(input);
  if (isOneOf(LIKE, input.op)) return itemQuery(input, trimmed);
  if (input.field.chart !== "flagtypes.name") return itemQuery(input, (text) => legalValue(input.field, text.trim()));
  return itemQuery(
    { ...input, values: input.values.flatMap((name) => flagNamesWithStatus(input.field, name)) },
    trimmed,
  );
}

/** Texts whose natural comparison is "contains". */
const PROSE: ReadonlySet<string> = new Set([
  "longdesc",
  "attachments.description",
  "attach_data.thedata",
  "attachments.filename",
  "attachments.mimetype",
  "see_also",
]);

/** Texts that are searched for words; the items of other lists are names. */
const WORDY: ReadonlySet<string> = new Set([...PROSE, "alias"]);

/** Of several words, one comment or alias must have all; of attachments and references, each may have one of them. */
const ALL_IN_ONE: ReadonlySet<string> = new Set(["longdesc", "alias"]);

function wordsQuery(input: ComparisonInput): Query {
  if (input.op === "any" || ALL_IN_ONE.has(input.field.chart)) return textQuery(input);
  return allOf(input.values.map((value) => textQuery({ ...input, op: "any", values: [value] })));
}

/** Flag names with status; without a status, every status matches. */
function flagNamesWithStatus(field: CatalogField, text: string): string[] {
  const [, name = text, status] = /^(.*)([?+-])$/s.exec(text.trim()) ?? [];
  const legal = legalValue(field, name.trim());
  return (status ? [status] : ["?", "+", "-"]).map((one) => `${legal}${one}`);
}

/** `>= High` matches High and higher ranks; the value for "no priority" has no rank. */
function rankQuery(input: ComparisonInput): Query {
  const { field, op, values } = input;
  const [first = ""] = values;
  if (!isOneOf(ORDER, op)) return choiceQuery(input);
  const ranked = field.values.map(({ name }) => name).filter((name) => name !== "---");
  const rank = ranked.indexOf(legalValue(field, first));
  if (rank < 0) throw new BtError("usage", `${first} has no rank among the values of ${valueNoun(field)}`);
  const chosen = {
    ">": ranked.slice(0, rank),
    ">=": ranked.slice(0, rank + 1),
    "<": ranked.slice(rank + 1),
    "<=": ranked.slice(rank),
  }[op];
  return chosen.length > 0 ? testQuery(field, "=", chosen) : anyOf([]);
}

const ORDER = [">", ">=", "<", "<="] as const;

function numberQuery({ field, op, values }: ComparisonInput): Query {
  const numbers = values.map((value) => (isOneOf(ORDER, op) && value === "0" ? value : readNumber(field, value)));
  if (field.api === "comments" && isBelowOne(op, numbers))
    throw new BtError("usage", "every bug has a comment: its description counts", { hint: "use comments:1" });
  if (op === "=" || op === ":" || op === "any") return testQuery(field, "=", numbers);
  if (isOneOf(ORDER, op)) return testQuery(field, op, numbers);
  throw unsupportedComparisonError(field, op, "use = > >= < <=, or 10..20");
}

function isBelowOne(op: Comparison, numbers: string[]): boolean {
  if (op === "<") return numbers.every((one) => Number(one) <= 1);
  return ["=", ":", "any", "<="].includes(op) && numbers.every((one) => Number(one) < 1);
}

function numbersQuery(input: ComparisonInput): Query {
  if (isOneOf(LIKE, input.op)) throw unsupportedComparisonError(input.field, input.op, `use ${input.field.api}:12,15`);
  return itemQuery(input, (text) => readNumber(input.field, text));
}

function isOfFlag({ api }: CatalogField): boolean {
  return api === "setter" || api === "requestee";
}

function personQuery(input: ComparisonInput): Query {
  if (isOneOf(LIKE, input.op)) {
    if (!input.values.some(isPersonWord)) return textQuery(input);
    throw new BtError("usage", "@me and similar names mean a complete login", {
      hint: `use ${input.field.api} = @me`,
    });
  }
  if (isOfFlag(input.field) && input.values.some((value) => value.startsWith("@group."))) {
    throw new BtError("usage", `flags cannot be searched by group`, {
      hint: `list the users: ${input.field.api} in (ada@example.org, bob@example.org)`,
    });
  }
  return itemQuery(input, (text) => plainLogin(input.field, text, input.context));
}

/** "No" is the negation of "yes", so that a bug without attachments matches "no patch". */
function yesNoQuery({ field, op, values }: ComparisonInput): Query {
  if (op !== "=" && op !== ":") throw unsupportedComparisonError(field, op, `use ${field.api}:yes or ${field.api}:no`);
  const yes = testQuery(field, "=", ["1"]);
  return anyOf(values.map((value) => (readYesOrNo(field, value) ? yes : notOf(yes))));
}

function momentQuery(input: ComparisonInput): Query {
  return sinceOrPeriodQuery(input, (text) => isRelative(text, input.context), timePeriodQuery);
}

/** After a colon, a span such as -2w means since then; other dates are periods. */
function sinceOrPeriodQuery(
  input: ComparisonInput,
  isSpan: (text: string) => boolean,
  queryOfPeriods: (input: ComparisonInput) => Query,
): Query {
  const [spans, dates] = partition(input.values, isSpan);
  if (spans.length === 0 || input.op !== ":") return queryOfPeriods(input);
  return anyOf([
    queryOfPeriods({ ...input, op: ">=", values: spans }),
    ...dates.map((date) => queryOfPeriods({ ...input, values: [date] })),
  ]);
}

function timePeriodQuery(input: ComparisonInput): Query {
  return periodQuery(input, (text) => {
    const period = readDate(text, aloneNoted(text, input));
    noteUnlikely(text, period, input);
    return { start: timestamp(period.start), end: timestamp(period.end) };
  });
}

/** The context of a date, where words after a colon for a day or longer in the past are noted to mean it alone, in a pipe, too. */
function aloneNoted(text: string, { name, op, context }: ComparisonInput): ComparisonInput["context"] {
  const { now, zone, note } = context;
  if (op !== ":" || readDate(text, { now, zone }).end > now.getTime()) return context;
  const since = unparseTree({ kind: "test", field: name, op: ">=", values: [text] });
  return {
    ...context,
    note: (sentence, scope) =>
      scope?.onTerminal ? note?.(`${sentence} alone; since then: '${since}'`) : note?.(sentence, scope),
  };
}

/** Notes a time of the future for a field that has none, and a single second that was typed as a time to now. */
function noteUnlikely(text: string, { start, end }: TimePeriod, { field, name, op, context }: ComparisonInput): void {
  const condition = (is: Comparison) => unparseTree({ kind: "test", field: name, op: is, values: [text] });
  const first = op === ">" ? end : start;
  if (PAST.has(field.chart) && !op.startsWith("<") && first > context.now.getTime())
    context.note?.(`no bug matches ${condition(op)}: that time is in the future`);
  const isSecond = (op === "=" && isRelative(text, context)) || (op === ":" && text === "now");
  if (isSecond) context.note?.(`${condition(op)} is one second; since then: ${condition(">=")}`);
}

/** Times at which something was done. */
const PAST: ReadonlySet<string> = new Set(["creation_ts", "delta_ts"]);

/**
 * A span before now means since then, as for moments; one after now is that day.
 * @throws BtError of kind usage for a span without a sign: the day of a field may be before now or after it
 */
function dayQuery(input: ComparisonInput): Query {
  const { context, field } = input;
  const unsigned = input.values.find((text) => /^\d{1,6}[a-z]/i.test(text) && isRelative(text, context));
  if (unsigned !== undefined)
    throw new BtError("usage", `ambiguous ${field.api} "${unsigned}": ago, or from now`, {
      hint: `use -${unsigned} or +${unsigned}`,
    });
  const startOf = (text: string) => readDate(text, context, "coming").start;
  const isSpan = (text: string) => isRelative(text, context) && startOf(text) < context.now.getTime();
  return sinceOrPeriodQuery(input, isSpan, dayPeriodQuery);
}

function dayPeriodQuery(input: ComparisonInput): Query {
  const { name, op, context } = input;
  return periodQuery(input, (text) => {
    const days = daysOfPeriod(readDate(text, context, "coming"), context.zone);
    const until = unparseTree({ kind: "test", field: name, op: "<=", values: [text] });
    if (op === ":" && isRelative(text, context))
      context.note?.(`${JSON.stringify(text)} is taken as ${days.start} alone; until then: '${until}'`);
    return days;
  });
}

type Stretch = { start: string; end: string };

/** A date is a period: `=` is within it, `>` after its end, `<=` up to its end. */
function periodQuery({ field, op, values }: ComparisonInput, read: (text: string) => Stretch): Query {
  const from = (value: string): Query => testQuery(field, ">=", [value]);
  const until = (value: string): Query => testQuery(field, "<", [value]);
  const compare = (value: Stretch): Query | undefined =>
    ({
      "=": allOf([from(value.start), until(value.end)]),
      ":": allOf([from(value.start), until(value.end)]),
      ">": from(value.end),
      ">=": from(value.start),
      "<": until(value.start),
      "<=": until(value.end),
    })[op as string];
  const made = values.map((value) => compare(read(value)));
  if (made.every((one) => one !== undefined)) return anyOf(made);
  throw unsupportedComparisonError(field, op, "use = > >= < <=, or 2026-10..2026-11");
}

function specialQuery({ field, op, values: [value = ""] }: ComparisonInput): Query {
  if (field.chart === "content") {
    if ([":", "~", "matches"].includes(op)) return testQuery(field, "matches", [value]);
    throw unsupportedComparisonError(field, op, `use ${field.api} matches "words"`);
  }
  const [match, digits, unit = ""] = /^-?(\d{1,4})(h|d|w|mo|y)$/.exec(value.toLowerCase()) ?? [];
  if (match !== undefined && isOneOf(ORDER, op))
    return testQuery(field, op, [`${digits}${unit === "mo" ? "m" : unit}`]);
  throw new BtError("usage", `${field.api} requires a duration`, {
    hint: `use ${field.api} > 4w (h d w mo y)`,
  });
}

const COMPARE: Readonly<Record<Family, (input: ComparisonInput) => Query>> = {
  text: textQuery,
  texts: textsQuery,
  person: personQuery,
  people: personQuery,
  choice: choiceQuery,
  choices: choiceQuery,
  ranked: rankQuery,
  number: numberQuery,
  numbers: numbersQuery,
  "yes-no": yesNoQuery,
  moment: momentQuery,
  day: dayQuery,
  special: specialQuery,
};

function testQuery(field: CatalogField, op: Exclude<Comparison, ":">, values: readonly string[]): Query {
  return { kind: "test", field, op, values: [...new Set(values)] };
}

function isOneOf<Word extends string>(words: readonly Word[], word: string): word is Word {
  return (words as readonly string[]).includes(word);
}

function trimmed(text: string): string {
  return text.trim();
}

function singleWord(text: string): string {
  if (!/[\s,]/.test(text.trim())) return text.trim();
  throw new BtError("usage", `"${text}" is more than one word`, { hint: 'for a phrase use summary ~ "two words"' });
}

function unsupportedComparisonError(field: CatalogField, op: Comparison, hint: string): BtError {
  return new BtError("usage", `"${op}" is not supported for ${field.api}`, { hint });
}
