import { BtError } from "../../errors.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import { DAY_MS } from "../../wire/time.ts";
import type { FactStore } from "../facts.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { listUnder } from "../response/response-objects.ts";

/** What searches consist of: Bugzilla's rows too, or the interface's parameters alone. */
export type Dialect = "bugzilla" | "plain";

/** How a tracker answers searches, remembered for a day. */
export type TrackerDialect = {
  readonly name: () => Promise<Dialect>;
  /** Number of bugs in its longest list: a list that is shorter, and than its limit, is whole. */
  readonly longest: () => Promise<number>;
  readonly noteLength: (length: number) => Promise<void>;
  /** The current time by the tracker's clock. */
  readonly now: () => Promise<Date>;
};

/** The dialect of an address, which is found out once a day. */
export function trackerDialect(
  probe: () => Promise<Dialect>,
  memory: FactStore,
  now: () => Date,
  trackerTime: () => number | undefined,
  refresh: boolean,
): TrackerDialect {
  const read = async (): Promise<Known> => {
    const kept = refresh ? undefined : await memory.read(FACT, DAY_MS);
    if (kept) return kept as Known;
    const name = await probe();
    const at = now().getTime();
    const found = { name, longest: 0, ahead: (trackerTime() ?? at) - at };
    await memory.write(FACT, found);
    return found;
  };
  let reading: Promise<Known> | undefined;
  const known = () => {
    reading ??= read();
    reading.catch(() => (reading = undefined));
    return reading;
  };
  return {
    name: async () => (await known()).name,
    longest: async () => (await known()).longest,
    noteLength: async (length) => {
      const found = await known();
      if (length <= found.longest) return;
      found.longest = length;
      await memory.write(FACT, { ...found });
    },
    now: async () => new Date(trackerTime() ?? now().getTime() + (await known()).ahead),
  };
}

/** `ahead` is how far the tracker's clock is ahead of this machine's (ms). */
type Known = { readonly name: Dialect; longest: number; readonly ahead: number };

const FACT = "dialect";

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
