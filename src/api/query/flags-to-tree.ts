import { type Catalog, type CatalogField, requireField } from "../catalog.ts";
import { splitValues } from "../legal-values.ts";
import { rangeTree, splitComparison } from "./range.ts";
import { allOf, anyOf, type Comparison, notOf, type Term, type TypedQuery } from "./tree.ts";

/** Search criteria by parameter of Search Bugs or field name. */
export type SearchFlags = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Tree of search flags, with the specification's semantics: parameters are ANDed, values ORed; people, values and
 * the URL compare exactly, other texts by substring, times at or after, an empty resolution matches open bugs.
 * Extensions: commas as repeats (except in texts), `!X` negates, `@open`, `@closed` and `@all` as statuses, `>=High`,
 * `10..20`, `<2026-10`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export function flagsToTree(flags: SearchFlags, catalog: Catalog): TypedQuery {
  return allOf(
    Object.entries(flags).flatMap(([name, given]) => {
      const texts = typeof given === "string" ? [given] : (given ?? []);
      return texts.length > 0 ? [flagTree(name, texts, catalog)] : [];
    }),
  );
}

function flagTree(name: string, texts: readonly string[], catalog: Catalog): TypedQuery {
  const field = requireField(catalog, name);
  if (field.family === "text") return anyOf(texts.map((text) => test(name, EXACT.has(field.chart) ? "=" : "~", text)));
  const words = texts.flatMap((text) => splitValues(text, field));
  if (field.chart === "bug_status" && words.some((word) => word.toLowerCase() === "@all")) return allOf([]);
  const isNegated = (word: string): boolean => word.startsWith("!") && word.length > 1;
  const wanted = words.filter((word) => !isNegated(word)).map((word) => wordTree(field, name, word));
  const unwanted = words.filter(isNegated).map((word) => notOf(wordTree(field, name, word.slice(1))));
  return allOf([...(wanted.length > 0 ? [anyValue(wanted)] : []), ...unwanted]);
}

function test(field: string, op: Comparison, value: string): Term {
  return { kind: "test", field, op, values: [value] };
}

/** Texts that the specification compares as a whole. */
const EXACT: ReadonlySet<string> = new Set(["bug_file_loc"]);

const ORDERED: ReadonlySet<string> = new Set(["number", "moment", "day", "ranked"]);

const STATES: Readonly<Record<string, string>> = { "@open": "open", "@closed": "closed" };

function wordTree(field: CatalogField, name: string, word: string): TypedQuery {
  return wholeWord(field, word) ?? valueTree(field, name, word);
}

/** Tree of a word that is more than a value: `@open`, or a flag with its requestee. */
function wholeWord({ chart }: CatalogField, word: string): TypedQuery | undefined {
  const state = chart === "bug_status" ? STATES[word.toLowerCase()] : undefined;
  if (state !== undefined) return { kind: "is", state };
  const [, flag, requestee] = chart === "flagtypes.name" ? (/^([^()]+\?)\(([^()]+)\)$/.exec(word) ?? []) : [];
  return flag === undefined || requestee === undefined ? undefined : { kind: "flag", name: flag, requestee };
}

function valueTree(field: CatalogField, name: string, word: string): TypedQuery {
  if (field.chart === "resolution" && (word === "" || word === "---")) {
    return { kind: "test", field: name, op: "empty", values: [] };
  }
  if (!ORDERED.has(field.family)) return test(name, "=", word);
  const range = field.family === "ranked" ? undefined : rangeTree(name, word);
  const { op = SINCE.has(field.chart) ? ">=" : "=", value } = splitComparison(word);
  return range ?? test(name, op, value);
}

/** Times that mean "at or after" without an operator. */
const SINCE: ReadonlySet<string> = new Set(["creation_ts", "delta_ts"]);

/** Disjunction of conditions; plain values of one field become one list. */
function anyValue(trees: TypedQuery[]): TypedQuery {
  const plain = trees.filter((tree) => tree.kind === "test" && tree.op === "=");
  const others = trees.filter((tree) => !plain.includes(tree));
  const values = plain.flatMap((tree) => (tree.kind === "test" ? tree.values : []));
  const [first] = plain;
  return anyOf([...(first?.kind === "test" ? [{ ...first, values }] : []), ...others]);
}
