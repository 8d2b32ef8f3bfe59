import { BtError, isTooBig } from "../../errors.ts";
import { INTERNAL_ERROR_CODE } from "../response/response-errors.ts";

/** A bug that cannot be read, and the tracker's message. */
export type FailedBug = { readonly id: number; readonly reason: string };

/** Parts that were read of some bugs, and the bugs that fail. */
export type TolerantResult<Thing> = { readonly things: readonly Thing[]; readonly failed: readonly FailedBug[] };

/**
 * Reads something of many bugs in one request. If that fails because of a bug, halves are read, until the bugs that
 * spoil the response are alone: about 2 log n requests for each of them.
 * @throws BtError for a failure that is not about a bug, such as a lost connection
 */
export async function readTolerantly<Thing>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Thing[]>,
): Promise<TolerantResult<Thing>> {
  if (ids.length === 0) return { things: [], failed: [] };
  try {
    return { things: await read(ids), failed: [] };
  } catch (error) {
    if (!maySpoilPage(error)) throw error;
    const [id = 0] = ids;
    if (ids.length === 1) return { things: [], failed: [{ id, reason: error.message }] };
    const middle = Math.ceil(ids.length / 2);
    const first = await readTolerantly(ids.slice(0, middle), read);
    const second = await readTolerantly(ids.slice(middle), read);
    return { things: [...first.things, ...second.things], failed: [...first.failed, ...second.failed] };
  }
}

/** True if a request may have failed because of a bug in its response: a smaller request may succeed. */
export function maySpoilPage(error: unknown): error is BtError {
  if (!(error instanceof BtError)) return false;
  const { bugzillaCode, httpStatus } = error.facts;
  return isTooBig(error) || error.kind === "reply" || httpStatus === 500 || CODES.has(bugzillaCode ?? 0);
}

/** Internal error, and errors about a single bug, which may have been restricted a moment ago. */
const CODES: ReadonlySet<number> = new Set([INTERNAL_ERROR_CODE, 100, 101, 102]);
