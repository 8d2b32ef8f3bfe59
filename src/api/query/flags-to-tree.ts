import { SECOND_MS } from "../../wire/time.ts";
import { type Catalog, type CatalogField, requireField } from "../catalog/catalog.ts";
import { splitValues } from "../catalog/legal-values.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf, type SearchComparison } from "../operations/operation.ts";
import { type DateContext, readDate } from "./dates.ts";
import { rangeTree, splitComparison } from "./range.ts";
import { allOf, anyOf, type Comparison, notOf, type Term, type UnresolvedQuery } from "./tree.ts";

/** Search criteria by parameter of Search Bugs or field name. */
export type SearchFlags = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Tree of search flags, with the specification's semantics: parameters are ANDed, values ORed; people, values and
 * the URL compare exactly, other texts by substring, times at or after, an empty resolution matches open bugs.
 * Extensions: commas as repeats (except in texts), `!X` negates, `open`, `closed` and `all` as statuses, `>=High`,
 * `10..20`, `<2026-10`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export function flagsToTree(flags: SearchFlags, catalog: Catalog): UnresolvedQuery {
  const trees: UnresolvedQuery[] = [];
  for (const [name, values = []] of Object.entries(flags)) {
    const texts = typeof values === "string" ? [values] : values;
    if (texts.length > 0) trees.push(flagTree(name, texts, catalog));
  }
  return allOf(trees);
}

/**
 * Notes, for terminals, each time that was given as a past day or longer: a flag takes it as the earliest time, where the
 * term of the same value, such as `created:yesterday`, means the period alone.
 */
export function noteEarliestTimes(flags: SearchFlags, context: DateContext): void {
  for (const { name, compares, aliases: [term] = [] } of PARAMETERS.values()) {
    if (compares !== "since") continue;
    for (const text of [flags[name] ?? []].flat()) {
      if (!isPastPeriod(name, text, context)) continue;
      const only = /\s/.test(text) ? `'${term}:"${text}"'` : `${term}:${text}`;
      context.note?.(`--${term} ${text} means ${text} or later; ${text} alone: ${only}`, { onTerminal: true });
    }
  }
}

/** True for a day or longer before now, rather than a moment, a range, or a comparison. */
function isPastPeriod(field: string, text: string, { now, zone }: DateContext): boolean {
  if (/^!|,/.test(text) || splitComparison(text).op !== undefined || rangeTree(field, text)) return false;
  const { start, end } = readDate(text, { now, zone });
  return end - start > SECOND_MS && end <= now.getTime();
}

const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters.map((parameter) => [parameter.name, parameter]),
);

function flagTree(flag: string, texts: readonly string[], catalog: Catalog): UnresolvedQuery {
  const parameter = PARAMETERS.get(flag);
  const name = (parameter && fieldOf(parameter)) ?? flag;
  const compares = parameter?.compares;
  const field = requireField(catalog, name);
  if (field.family === "text") return anyOf(texts.map((text) => testTerm(name, compares === "text" ? "=" : "~", text)));
  const words = texts.flatMap((text) => splitValues(text, field));
  if (field.chart === "bug_status" && words.some((word) => /^@?all$/i.test(word))) return allOf([]);
  const values: string[] = []; // plain ones, which become one list
  const wanted: UnresolvedQuery[] = [];
  const unwanted: UnresolvedQuery[] = [];
  for (const word of words) {
    const [, not, text = word] = /^(!?)(.+)$/s.exec(word) ?? [];
    const tree = wordTree(field, name, text, compares);
    if (not) unwanted.push(notOf(tree));
    else if (tree.kind === "test" && tree.op === "=") values.push(...tree.values);
    else wanted.push(tree);
  }
  if (values.length > 0) wanted.unshift({ kind: "test", field: name, op: "=", values });
  return allOf(wanted.length > 0 ? [anyOf(wanted), ...unwanted] : unwanted);
}

function testTerm(field: string, op: Comparison, value: string): Term {
  return { kind: "test", field, op, values: [value] };
}

const ORDERED: ReadonlySet<string> = new Set(["number", "moment", "day", "ranked"]);

const STATES: Readonly<Record<string, string>> = { open: "open", closed: "closed" };

/** Tree of a word: a value, a range, a comparison, a state such as `open`, or a flag with its requestee. */
function wordTree(
  { chart, family }: CatalogField,
  name: string,
  word: string,
  compares: SearchComparison | undefined,
): UnresolvedQuery {
  const state = chart === "bug_status" ? STATES[word.toLowerCase().replace(/^@/, "")] : undefined;
  if (state !== undefined) return { kind: "is", state };
  const [, flag, requestee] = chart === "flagtypes.name" ? (/^([^()]+\?)\(([^()]+)\)$/.exec(word) ?? []) : [];
  if (flag !== undefined && requestee !== undefined) return { kind: "flag", name: flag, requestee };
  if (chart === "resolution" && (word === "" || word === "---"))
    return { kind: "test", field: name, op: "empty", values: [] };
  if (!ORDERED.has(family)) return testTerm(name, "=", word);
  const range = family === "ranked" ? undefined : rangeTree(name, word);
  const { op = compares === "since" ? ">=" : "=", value } = splitComparison(word);
  return range ?? testTerm(name, op, value);
}
