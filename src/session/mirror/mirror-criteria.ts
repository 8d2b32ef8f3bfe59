import { catalogOf } from "../../api/catalog.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELDS } from "../../api/operations/tracker.ts";
import { compileQuery } from "../../api/query/compile.ts";
import { parseExpression } from "../../api/query/parse.ts";
import { resolveQuery } from "../../api/query/resolve.ts";
import { readResponse } from "../../api/response/response.ts";
import { readFields } from "../../api/response/response-objects.ts";
import type { Exchange, Request } from "../../wire/exchange.ts";

/** Criteria of a mirror as an expression, and what its words depend on. */
type MirrorCriteria = { readonly criteria: string; readonly login: string | null; readonly now: Date };

/** The criteria of a mirror as parameters of a search, in UTC. */
export async function mirrorPairs(
  exchange: Exchange,
  { criteria, login, now }: MirrorCriteria,
): Promise<Request["query"]> {
  const request = requestFor(GET_FIELDS);
  const catalog = catalogOf(readFields(readResponse(await exchange(request), request)));
  const query = resolveQuery(parseExpression(criteria).tree, { catalog, now, zone: "UTC", me: login ?? undefined });
  const compiled = compileQuery(query, { serverZone: "UTC" });
  return compiled.rest === undefined ? compiled.query : NOTHING;
}

/** Criteria that no bug meets: conditions that only bt can check prove nothing about searches. */
const NOTHING: Request["query"] = [
  ["f1", "bug_id"],
  ["o1", "lessthan"],
  ["v1", "0"],
];
