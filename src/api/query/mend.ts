import { BtError, isKind } from "../../errors.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { findField, isPersonField } from "../catalog/catalog.ts";
import { keyNamed } from "../nearest.ts";
import { parseExpression } from "./parse.ts";
import { resolveQuery } from "./resolve.ts";
import { allOf, anyOf, mapLeaves, type QueryContext, type Term, type UnresolvedQuery } from "./tree.ts";
import { unparseTree } from "./unparse.ts";

/** An expression of Jira in words of the query language, where it has its own: the user, periods, and the order behind the conditions. */
export function translatedText(text: string): string {
  return text
    .replace(/\bcurrentUser\(\)/gi, "@me")
    .replace(/\bnow\(\)/gi, "now")
    .replaceAll("<>", "!=")
    .replace(/(\w\s+changed\b[^()]*?)\bafter\b/gi, "$1since")
    .replace(/([\w.]+)\s+is\s+(not\s+)?(?!not\b|empty\b)(?=["\w])/gi, (whole, name: string, not = "") =>
      fieldNamed(name) ? `${name} ${not && "!"}= ` : whole,
    )
    .replace(PERIOD, (_, op: string, end: string, unit: string, away = "0") => {
      const [strict] = op;
      const date = periodMeant(unit.toLowerCase(), Number(away));
      if (strict === "=") return `= ${date}`;
      return `${strict}${(strict === ">") === /^start$/i.test(end) ? "=" : ""} ${date}`;
    })
    .replace(/\s+order\s+by\s+([^"'()]+)$/i, (_, keys: string) => keys.split(",").map(sortMeant).join(""));
}

/** Matches the start or the end of a period behind an operator; with how many of the unit before or after now. */
const PERIOD = /([<>]=?|=)\s*(start|end)Of(day|week|month|year)\(\s*["']?([+-]?\d+)?[dwMy]?["']?\s*\)/gi;

/** A period this far from now; one far away begins as long ago. */
function periodMeant(unit: string, away: number): string {
  const names =
    unit === "day" ? ["yesterday", "today", "tomorrow"] : ["last-", "this-", "next-"].map((one) => one + unit);
  return names[away + 1] ?? `${away}${{ day: "d", week: "w", month: "mo", year: "y" }[unit]}`;
}

/** A sort key of Jira as a term: `created DESC` is `sort:created:desc`. */
function sortMeant(key: string): string {
  const [name = "", way = ""] = key.trim().split(/\s+/);
  return ` sort:${fieldNamed(name) ? name : (keyNamed(name) ?? name)}${way && `:${way.toLowerCase()}`}`;
}

/** The tree with what is meant by each of its names and values that the tracker does not have, where that is known. */
export function mendedTree(tree: UnresolvedQuery, context: QueryContext): UnresolvedQuery {
  return mapLeaves(tree, (term) => mendedTerm(term, context));
}

/** The tree with VALUE in place of the values that the tracker does not have. */
export function treeToFill(tree: UnresolvedQuery, context: QueryContext): UnresolvedQuery {
  return mapLeaves(tree, (term) =>
    term.kind === "test" && findField(context.catalog, term.field) && refusalOf(term, context)
      ? { ...term, values: ["VALUE"] }
      : term,
  );
}

function mendedTerm(term: Term, context: QueryContext): UnresolvedQuery {
  if (SAID_ANYWAY.test(unparseTree(term))) return allOf([]);
  const refusal = refusalOf(term, context);
  if (refusal === undefined && term.kind === "test" && isOwn(term, context)) return { ...term, values: ["@me"] };
  if (refusal === undefined || term.kind === "flag") return term;
  const { name, value, condition } = refusal.facts.instead ?? {};
  if (term.kind === "is") return value === undefined ? term : { ...term, state: value };
  if (name !== undefined) return mendedTerm({ ...term, field: name }, context);
  if (term.kind === "change") return term;
  if (term.values.length > 1 && /^[:=]$/.test(term.op)) return mendedList(term, context);
  if (condition !== undefined) return parseExpression(condition).tree;
  return value === undefined ? term : { ...term, values: [value] };
}

/** Conditions of GitHub that every search has: bugs are issues, and a word is looked for in summaries. */
const SAID_ANYWAY = /^(?:is:(?:issue|bug)|in:title)$/i;

/** True for a condition on people with the user, who is not called so here. */
function isOwn({ field, values }: Term & { kind: "test" }, { catalog }: QueryContext): boolean {
  const found = findField(catalog, field);
  return found !== undefined && isPersonField(found) && /^(?:me|self|myself)$/i.test(String(values));
}

/** A condition of several values, of which some may be other conditions: `status in (Open, "In Progress")`. */
function mendedList(term: Term & { kind: "test" }, context: QueryContext): UnresolvedQuery {
  const values = new Set<string>();
  const others: UnresolvedQuery[] = [];
  for (const value of term.values) {
    const tree = mendedTerm({ ...term, values: [value] }, context);
    if (tree.kind === "test" && tree.field === term.field) for (const one of tree.values) values.add(one);
    else if (!others.some((other) => unparseTree(other) === unparseTree(tree))) others.push(tree);
  }
  return anyOf(values.size > 0 ? [...others, { ...term, values: [...values] }] : others);
}

/** Why a condition alone is refused; undefined if it is not. */
export function refusalOf(term: Term, context: QueryContext): BtError | undefined {
  try {
    resolveQuery(term, context);
    return undefined;
  } catch (error) {
    if (isKind(error, "usage")) return error;
    if (error instanceof BtError) return undefined; // such as @me without a login
    throw error;
  }
}
