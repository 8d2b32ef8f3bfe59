import type { Request } from "../../wire/exchange.ts";
import type { MirrorLimit } from "../../wire/mirror-limits.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { Fault } from "../http/fault.ts";
import { readInput } from "../http/input.ts";
import { type Criterion, criteriaOf } from "../search/condition.ts";
import { readParameterValues, type SearchContext } from "../search/context.ts";
import { isSearchField } from "../search/fields.ts";
import { type SearchCall, searchCondition, searchContext } from "../search/search.ts";
import { limitOf, type MirrorGaps } from "./undecidable.ts";

/** Properties of a mirror that decide which searches it can answer. */
export type MirrorCoverage = { readonly call: SearchCall; readonly gaps: MirrorGaps };

/** Assessment of a search: the parts that a mirror cannot decide, and the use of word search. */
export type JudgedSearch = {
  readonly undecidable: readonly { readonly text: string; readonly limit: MirrorLimit }[];
  readonly isByWords: boolean;
};

/** Assesses the parameters of a search. Invalid ones are decided: the tracker reports them. */
export function judgeSearch(query: Request["query"], { call, gaps }: MirrorCoverage): JudgedSearch {
  const context = searchContext(call);
  const criteria = criteriaOfSearch(query, context);
  const limitIn = (one: Criterion) => limitOf(one, gaps) ?? (isSearchField(context, one.field) ? undefined : "field");
  return {
    undecidable: criteria.flatMap((one) => {
      const limit = limitIn(one);
      return limit === undefined ? [] : [{ text: criterionText(one), limit }];
    }),
    isByWords: criteria.some(({ field }) => field === "content"),
  };
}

function criteriaOfSearch(query: Request["query"], context: SearchContext): readonly Criterion[] {
  try {
    const values = readParameterValues(readInput({ method: "GET", path: "", query }));
    return criteriaOf(searchCondition(context, values));
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function criterionText({ field, operator, text }: Criterion): string {
  return `${fieldNamed(field)?.api ?? field} ${SIGNS[operator] ?? operator} ${text}`.trim();
}

const SIGNS: Readonly<Record<string, string>> = {
  equals: "=",
  notequals: "!=",
  anyexact: "in",
  substring: "~",
  notsubstring: "!~",
  regexp: "=~",
  notregexp: "!=~",
  lessthan: "<",
  lessthaneq: "<=",
  greaterthan: ">",
  greaterthaneq: ">=",
  isempty: "is empty",
  isnotempty: "is not empty",
  changedfrom: "changed from",
  changedto: "changed to",
  changedby: "changed by",
  changedafter: "changed since",
  changedbefore: "changed before",
};
