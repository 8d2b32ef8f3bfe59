import { BtError } from "../../errors.ts";
import type { Request } from "../../wire/exchange.ts";
import { DAY_MS } from "../../wire/time.ts";
import type { FactStore } from "../fact-store.ts";
import { EVERY_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugs } from "../response/response-objects.ts";

/**
 * Whether a tracker obeys `order` and the rows of Bugzilla's search screen (`f1`, `o1`, `v1`). The interface allows them, but
 * a server may ignore them: it then returns too many bugs, without an error.
 */
export type RowSupport = {
  /** As settled within the last day; undefined if it was not. */
  readonly known: () => Promise<boolean | undefined>;
  /**
   * Settles it by one request. `criteria` are parameters of the interface that find bugs; by default those that find every
   * bug, of which there must be some.
   */
  readonly settle: (criteria?: Request["query"]) => Promise<boolean>;
  /** Settles it for a tracker that may have no visible bugs; undefined if it has none. */
  readonly settleUnlessEmpty: () => Promise<boolean | undefined>;
  /** Settles it by what other requests have shown. */
  readonly noteObeyed: () => Promise<void>;
};

/** Support by a tracker in this process, or by the copy of a Bugzilla. */
export const OBEYS_ROWS: RowSupport = {
  known: async () => true,
  settle: async () => true,
  settleUnlessEmpty: async () => true,
  noteObeyed: async () => undefined,
};

/** Support by a tracker on the network, remembered for a day; with `refresh`, settled anew by this run. */
export function rowSupport(
  send: SendRequest,
  memory: FactStore,
  { now, refresh }: { now: () => Date; refresh: boolean },
): RowSupport {
  let settled: Promise<boolean | undefined> | undefined;
  let proven: boolean | undefined; // by a request of this run
  const remembered = async (): Promise<boolean | undefined> => {
    const { obeyed, seen } = (refresh ? undefined : await memory.read(FACT)) ?? {};
    const age = now().getTime() - Number(seen);
    return typeof obeyed === "boolean" && age >= 0 && age < DAY_MS ? obeyed : undefined;
  };
  const known = () => {
    settled ??= remembered();
    return settled;
  };
  const remember = async (obeyed: boolean) => {
    if ((await known()) === obeyed) return;
    settled = Promise.resolve(obeyed);
    await memory.write(FACT, { obeyed, seen: now().getTime() });
  };
  const settle = async (criteria: Request["query"] = EVERY_BUG) => {
    proven ??= await obeysContradiction(criteria, send);
    await remember(proven);
    return proven;
  };
  return {
    known,
    settle,
    settleUnlessEmpty: async () => ((await findsBugs(EVERY_BUG, send)) ? settle() : undefined),
    noteObeyed: () => remember(true),
  };
}

const FACT = "rows";
/** Row that no bug meets. */
const NO_BUG: Request["query"] = [
  ["f1", "bug_id"],
  ["o1", "lessthan"],
  ["v1", "0"],
];

/** True if a search that found bugs finds none with a row that none can meet; a server that rejects the row ignores rows. */
async function obeysContradiction(criteria: Request["query"], send: SendRequest): Promise<boolean> {
  try {
    return !(await findsBugs([...criteria, ...NO_BUG], send));
  } catch (error) {
    if (isRejection(error)) return false;
    throw error;
  }
}

/** True if a search finds bugs. A server may know neither `include_fields` nor a limit. */
async function findsBugs(
  query: Request["query"],
  send: SendRequest,
  size: Request["query"] = ONE_ID,
): Promise<boolean> {
  try {
    return readBugs(await send(requestFor(SEARCH_BUGS, [...query, ...size]))).length > 0;
  } catch (error) {
    if (size.length === 0 || !isRejection(error)) throw error;
    return findsBugs(query, send, []);
  }
}

const ONE_ID: Request["query"] = [
  ["include_fields", "id"],
  ["limit", "1"],
];

/** True if a server may have rejected a request for what it does not know, rather than for who sent it. */
export function isRejection(error: unknown): error is BtError {
  return error instanceof BtError && error.kind !== "auth" && REJECTIONS.has(error.facts.httpStatus ?? 0);
}

const REJECTIONS: ReadonlySet<number> = new Set([400, 404, 422]);
