import { type Catalog, type CatalogField, requireField } from "../catalog/catalog.ts";
import { legalNames, splitValues } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf, type SearchComparison } from "../operations/operation.ts";
import { rangeTerm } from "./parse.ts";
import { allOf, anyOf, notOf, type Term, type Tree, type TypedOp } from "./tree.ts";

/** Search criteria by parameter of Search Bugs or field name. */
export type SearchFlags = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Tree of search flags, with the specification's semantics: parameters are ANDed, values ORed; people, values and
 * the URL compare exactly, other texts by substring, times at or after, an empty resolution matches open bugs.
 * Extensions: commas as repeats (except in texts), `!X` negates, `@open`, `@closed` and `@all` as statuses, `>=High`,
 * `10..20`, `<2026-10`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export function flagsToTree(flags: SearchFlags, catalog: Catalog): Tree<Term> {
  const trees: Tree<Term>[] = [];
  for (const [name, values = []] of Object.entries(flags)) {
    const texts = typeof values === "string" ? [values] : values;
    if (texts.length > 0) trees.push(flagTree(name, texts, catalog));
  }
  return allOf(trees);
}

const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters.map((parameter) => [parameter.name, parameter]),
);

function flagTree(flag: string, texts: readonly string[], catalog: Catalog): Tree<Term> {
  const parameter = PARAMETERS.get(flag);
  const name = (parameter && fieldOf(parameter)) ?? flag;
  const compares = parameter?.compares;
  const field = requireField(catalog, name);
  if (field.family === "text") return anyOf(texts.map((text) => testTerm(name, compares === "text" ? "=" : "~", text)));
  const words = texts.flatMap((text) => splitValues(text, field));
  const values: string[] = []; // plain ones, which become one list
  const wanted: Tree<Term>[] = [];
  const unwanted: Tree<Term>[] = [];
  for (const word of withoutAll(words, field.chart)) {
    const [, not, text = word] = /^(!?)(.+)$/s.exec(word) ?? [];
    const tree = wordTree(field, name, text, compares);
    if (not) unwanted.push(notOf(tree));
    else if (tree.kind === "test" && tree.op === "=") values.push(...tree.values);
    else wanted.push(tree);
  }
  if (values.length > 0) wanted.unshift({ kind: "test", field: name, op: "=", values });
  return allOf(wanted.length > 0 ? [anyOf(wanted), ...unwanted] : unwanted);
}

/** The words but those of a status beside "all", which restrict nothing. */
function withoutAll(words: readonly string[], chart: string): readonly string[] {
  const isAll = chart === "bug_status" && words.some((word) => /^@?all$/i.test(word));
  return isAll ? words.filter((word) => word.startsWith("!")) : words;
}

function testTerm(field: string, op: TypedOp, value: string): Term {
  return { kind: "test", field, op, values: [value] };
}

const ORDERED: ReadonlySet<string> = new Set(["number", "moment", "day", "ranked"]);

/** Tree of a word: a value, range, comparison, state, or flag with its requestee. */
function wordTree(field: CatalogField, name: string, word: string, compares: SearchComparison | undefined): Tree<Term> {
  const { chart, family } = field;
  const state = chart === "bug_status" ? stateNamed(word, field) : undefined;
  if (state !== undefined) return { kind: "is", state };
  const [, flag, requestee] = chart === "flagtypes.name" ? (/^([^()]+\?)\(([^()]+)\)$/.exec(word) ?? []) : [];
  if (flag !== undefined && requestee !== undefined) return { kind: "flag", name: flag, requestee };
  if (chart === "resolution" && (word === "" || word === "---"))
    return { kind: "test", field: name, op: "empty", values: [] };
  if (!ORDERED.has(family)) return testTerm(name, "=", word);
  const range = family === "ranked" ? undefined : rangeTerm(name, word);
  const [, op = compares === "since" ? ">=" : "=", value = word] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(word) ?? [];
  return range ?? testTerm(name, op as TypedOp, value);
}

/** `open` or `closed`, also behind an "@", unless the tracker has a status of that name. */
function stateNamed(word: string, field: CatalogField): string | undefined {
  const [, state] = /^@?(open|closed)$/i.exec(word) ?? [];
  return word === state && hasIgnoringCase(legalNames(field) ?? [], word) ? undefined : state?.toLowerCase();
}
