import { type Catalog, catalogOf } from "../../api/catalog.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELDS } from "../../api/operations/tracker.ts";
import { compileQuery } from "../../api/query/compile.ts";
import { parseExpression } from "../../api/query/parse.ts";
import { resolveQuery } from "../../api/query/resolve.ts";
import type { Query } from "../../api/query/tree.ts";
import { readResponse } from "../../api/response/response.ts";
import { readFields } from "../../api/response/response-objects.ts";
import { BtError } from "../../errors.ts";
import type { Exchange, Request } from "../../wire/exchange.ts";

/** Criteria of a mirror as an expression, and what its words depend on. */
type MirrorCriteria = {
  readonly name: string; // of the mirror
  readonly criteria: string;
  readonly login: string | null;
  readonly now: Date;
};

/**
 * The criteria of a mirror as parameters of a search, in UTC.
 * @throws BtError of kind missing if they name something that no longer exists, such as a renamed product
 */
export async function mirrorPairs(exchange: Exchange, mirror: MirrorCriteria): Promise<Request["query"]> {
  const request = requestFor(GET_FIELDS);
  const catalog = catalogOf(readFields(readResponse(await exchange(request), request)));
  const query = resolved(mirror, catalog);
  const compiled = compileQuery(query, { serverZone: "UTC" });
  return compiled.rest === undefined ? compiled.query : NOTHING;
}

function resolved({ name, criteria, login, now }: MirrorCriteria, catalog: Catalog): Query {
  try {
    return resolveQuery(parseExpression(criteria).tree, { catalog, now, zone: "UTC", me: login ?? undefined });
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error;
    throw new BtError("missing", `the criteria of the mirror ${name} are no longer valid on its tracker`, {
      details: [`criteria: ${criteria}`, error.message],
      hint: `bt mirror drop ${name}, then bt mirror create ${name} with the current names; --partial searches its bugs`,
      changed: "nothing",
    });
  }
}

/** Criteria that no bug meets: conditions that only bt can check prove nothing about searches. */
const NOTHING: Request["query"] = [
  ["f1", "bug_id"],
  ["o1", "lessthan"],
  ["v1", "0"],
];
