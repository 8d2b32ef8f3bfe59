import { BtError } from "../../errors.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import { DAY_MS } from "../../wire/time.ts";
import type { FactStore } from "../facts.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { listUnder } from "../response/response-objects.ts";

/** What searches consist of: Bugzilla's rows too, or the interface's parameters alone. */
export type Dialect = "bugzilla" | "plain";

/** How a tracker answers searches. */
export type TrackerDialect = {
  readonly name: Dialect;
  readonly longest: () => number; // number of bugs in a list that it returned
  readonly noteLength: (length: number) => Promise<void>;
  readonly now: () => Date; // by the tracker's clock
};

/** How a tracker answers searches, from memory for a day, else by a probe. */
export async function readDialect(
  probe: () => Promise<Dialect>,
  memory: FactStore,
  now: () => Date,
  trackerTime: () => number | undefined, // by the last response (ms since the epoch)
  refresh: boolean,
): Promise<TrackerDialect> {
  const known = refresh ? undefined : ((await memory.read(FACT, DAY_MS)) as DialectFacts | undefined);
  const name = known?.name ?? (await probe());
  const localTime = now().getTime();
  const ahead = known?.ahead ?? (trackerTime() ?? localTime) - localTime;
  let longest = known?.longest ?? 0;
  const remember = () => memory.write(FACT, { name, longest, ahead });
  if (known === undefined) await remember();
  return {
    name,
    longest: () => longest,
    noteLength: async (length) => {
      if (length <= longest) return;
      longest = length;
      await remember();
    },
    now: () => new Date(trackerTime() ?? now().getTime() + ahead),
  };
}

const FACT = "dialect";

/** `ahead` is how far the tracker's clock is ahead of this machine's (ms). */
type DialectFacts = { readonly name: Dialect; readonly longest: number; readonly ahead: number };

/**
 * Finds out the dialect of a tracker: Bugzilla refuses a row on an unknown field.
 * @throws BtError for a response that tells nothing, such as that of a gateway
 */
export async function probeDialect(send: SendRequest): Promise<Dialect> {
  const row = { f1: "bt_no_such_field", o1: "equals", v1: "1" };
  try {
    listUnder(await send(requestFor(SEARCH_BUGS, { ...row, limit: 1, include_fields: "id" })), "bugs");
    return "plain";
  } catch (error) {
    const { bugzillaCode, httpStatus } = error instanceof BtError ? error.facts : {};
    if (bugzillaCode === ERROR_CODES.invalid_field_name) return "bugzilla";
    if (bugzillaCode === ERROR_CODES.other && httpStatus === 400) return "plain"; // which refuses what it does not know
    throw error;
  }
}
