import type { Request } from "../../wire/exchange.ts";
import type { MirrorState } from "../../wire/mirror.ts";
import type { MirrorLimit } from "../../wire/mirror-limits.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { Fault } from "../http/fault.ts";
import { readInput } from "../http/input.ts";
import { type Condition, type Criterion, criteriaOf } from "../search/condition.ts";
import { isContained } from "../search/containment.ts";
import { readParameterValues } from "../search/context.ts";
import { type SearchCall, searchCondition, searchContext } from "../search/search.ts";
import { limitOf, type MirrorGaps } from "./undecidable.ts";

/** Properties of a mirror that decide which searches it can answer. */
export type MirrorCoverage = {
  readonly call: SearchCall;
  readonly kept: (name: string) => KeptBug | undefined; // by id or alias
  readonly has: (thing: "comment" | "attachment", id: number) => boolean;
  readonly gaps: MirrorGaps;
};

/** State of a bug in a mirror; the reason is that of a bug that failed or is not visible. */
export type KeptBug = { readonly state: MirrorState; readonly reason: string | null };

/**
 * Assessment of a search: whether it is inside the mirror's criteria, the parts that cannot be decided, and the use of
 * word search.
 */
export type JudgedSearch = {
  readonly text: string;
  readonly isInside: boolean;
  readonly undecidable: readonly { readonly text: string; readonly limit: MirrorLimit }[];
  readonly isByWords: boolean;
};

/**
 * Assesses the parameters of a search; the criteria of the mirror are undefined for all bugs. Undefined if the
 * parameters are invalid, which the tracker reports.
 */
export function judgeSearch(
  [query, limits]: readonly [search: Request["query"], criteria: Request["query"] | undefined],
  mirror: MirrorCoverage,
): JudgedSearch | undefined {
  const condition = conditionOf(query, mirror.call);
  if (condition === undefined) return undefined;
  const criteria = criteriaOf(condition);
  return {
    text: conditionText(condition),
    isInside: limits === undefined || isInside(condition, limits, mirror),
    undecidable: criteria.flatMap((one) => {
      const limit = limitOf(one, mirror.gaps);
      return limit === undefined ? [] : [{ text: criterionText(one), limit }];
    }),
    isByWords: criteria.some(({ field }) => field === "content"),
  };
}

function isInside(condition: Condition, limits: Request["query"], { call, kept }: MirrorCoverage): boolean {
  const outer = conditionOf(limits, call);
  return (
    outer !== undefined &&
    isContained(condition, outer, { ...searchContext(call), covers: (id) => kept(String(id))?.state === "held" })
  );
}

function conditionOf(query: Request["query"], call: SearchCall): Condition | undefined {
  try {
    const values = readParameterValues(readInput({ method: "GET", path: "", query }));
    return searchCondition(searchContext(call), values);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const MAX_TEXT = 300;

/** A condition as text, for refusals. */
function conditionText(condition: Condition): string {
  const text = textOf(condition).replace(/^\((.*)\)$/s, "$1") || "every bug";
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}

function textOf(condition: Condition): string {
  if (condition.kind === "criterion") return criterionText(condition);
  if (condition.kind === "not") return `not ${textOf(condition.part)}`;
  const parts = condition.parts.map(textOf).filter((text) => text !== "");
  const joined = parts.join(condition.join === "OR" ? " or " : " and ");
  return parts.length > 1 ? `(${joined})` : joined;
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
