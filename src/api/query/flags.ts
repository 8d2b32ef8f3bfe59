import { type Catalog, type CatalogField, legalNames, requireField, splitValues } from "../catalog/catalog.ts";
import { hasIgnoringCase, partition } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf } from "../operations/operation.ts";
import { rangeTerm } from "./parse.ts";
import { allOf, anyOf, notOf, type Term, type Tree, type TypedOp } from "./tree.ts";

/** Search criteria by parameter of Search Bugs or field name. */
export type SearchFlags = Readonly<Record<string, readonly string[]>>;

/**
 * Tree of search flags, with the specification's semantics: parameters are ANDed, values ORed; people, values and
 * the URL compare exactly, other texts by substring, times at or after, an empty resolution matches open bugs.
 * Extensions: commas as repeats (except in texts), `!X` negates, `@open`, `@closed` and `@all` as statuses, `>=High`,
 * `10..20`, `<2026-10`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export function flagsToTree(flags: SearchFlags, catalog: Catalog): Tree<Term> {
  return allOf(Object.entries(flags).map(([name, texts]) => flagTree(name, texts, catalog)));
}

/** Bugs with any of the wanted values, where `@all` is any status, and with no negated value. */
function flagTree(flag: string, texts: readonly string[], catalog: Catalog): Tree<Term> {
  const parameter = PARAMETERS.get(flag);
  const name = (parameter && fieldOf(parameter)) ?? flag;
  const field = requireField(catalog, name);
  if (field.family === "text") {
    const op = parameter?.compares === "text" ? "=" : "~";
    return anyOf(texts.map((text) => ({ kind: "test", field: name, op, values: [text] })));
  }
  const isSince = parameter?.compares === "since";
  const words = texts.flatMap((text) => splitValues(text, field));
  const isAnyStatus = field.chart === "bug_status" && words.some((word) => /^@?all$/i.test(word));
  const [wanted, negated] = partition(words, (word) => !/^!./s.test(word));
  const wantedTerms = isAnyStatus ? [] : wordTerms(wanted, name, field, isSince);
  const unwantedTerms = negated.flatMap((word) => wordTerms([word.slice(1)], name, field, isSince));
  return allOf([...(wantedTerms.length > 0 ? [anyOf(wantedTerms)] : []), ...unwantedTerms.map((term) => notOf(term))]);
}

const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters.map((parameter) => [parameter.name, parameter]),
);

/** Terms of words: one of all plain values, and one for each range, comparison, state, or flag with its requestee. */
function wordTerms(words: readonly string[], name: string, field: CatalogField, isSince: boolean): readonly Term[] {
  const values: string[] = [];
  const others: Term[] = [];
  for (const word of words) {
    const term = specialTerm(word, name, field, isSince);
    if (term === undefined) values.push(word);
    else others.push(term);
  }
  return values.length > 0 ? [{ kind: "test", field: name, op: "=", values }, ...others] : others;
}

/** The term of a word that is more than a value of the field; undefined for a value. */
function specialTerm(word: string, name: string, field: CatalogField, isSince: boolean): Term | undefined {
  switch (field.chart) {
    case "bug_status": {
      const [, state] = /^@?(open|closed)$/i.exec(word) ?? [];
      const isStatus = word === state && hasIgnoringCase(legalNames(field) ?? [], word); // of this tracker
      return state === undefined || isStatus ? undefined : { kind: "is", state };
    }
    case "flagtypes.name": {
      const [, flag, requestee] = /^([^()]+\?)\(([^()]+)\)$/.exec(word) ?? [];
      return flag === undefined ? undefined : { kind: "flag", name: flag, requestee };
    }
    case "resolution":
      return word === "" || word === "---" ? { kind: "test", field: name, op: "empty", values: [] } : undefined;
    default:
      return ORDERED.has(field.family) ? orderTerm(word, name, field, isSince) : undefined;
  }
}

/** Families of fields whose values can be greater or less. */
const ORDERED: ReadonlySet<string> = new Set(["number", "moment", "day", "ranked"]);

/** The term of a range or a comparison; a bare value is one only of a flag that means "at or after". */
function orderTerm(word: string, name: string, { family }: CatalogField, isSince: boolean): Term | undefined {
  const range = family === "ranked" ? undefined : rangeTerm(name, word);
  if (range !== undefined) return range;
  const [, op = isSince ? ">=" : undefined, value = word] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(word) ?? [];
  return op === undefined ? undefined : { kind: "test", field: name, op: op as TypedOp, values: [value] };
}
