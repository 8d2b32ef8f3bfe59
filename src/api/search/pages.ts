import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { type Pair, row } from "../query/rows.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import { type Compiled, pairsOf } from "./compile.ts";
import type { TrackerDialect } from "./dialect.ts";

export const NEWEST_FIRST = "bug_id DESC";

/** Number of bugs in a request. */
export const PAGE_SIZE = 1000;

/**
 * Every bug that Bugzilla finds, or `most`, once each, by id: each page begins where the last one ended, so that changes meanwhile
 * neither hide nor repeat bugs. A server may cut responses, so only an empty one is the end, or one that is shorter than its
 * longest.
 */
export async function* pagesById(
  search: Compiled,
  fields: readonly string[],
  { send, dialect }: { readonly send: SendRequest; readonly dialect: TrackerDialect },
  most = Number.POSITIVE_INFINITY,
) {
  let end: number | undefined;
  let size = PAGE_SIZE;
  for (let count = 0; count < most; ) {
    const rest = end === undefined ? [] : [row("bug_id", "lessthan", String(end))];
    const limit = Math.min(size, most - count);
    const pairs = [...pairsOf(search, ...rest), ["include_fields", fields.join()], ["order", NEWEST_FIRST]] as const;
    const read = await readFitting(pairs, limit, send);
    if (read.size < limit) size = read.size;
    const bugs = distinctBugs(read.bugs);
    const isShort = read.bugs.length < read.size && read.bugs.length < (await dialect.longest());
    if (isShort) bugs.sort((one, other) => other.id - one.id); // a whole list
    end = lastId(bugs, end);
    await dialect.noteLength(read.bugs.length);
    if (bugs.length > 0) yield bugs;
    if (bugs.length === 0 || isShort || end === 1) return;
    count += bugs.length;
  }
}

/** The last id of a page. @throws BtError of kind reply for ids that do not fall */
function lastId(bugs: readonly Bug[], before: number | undefined): number | undefined {
  let end = before;
  for (const { id } of bugs) {
    if (end !== undefined && id >= end)
      throw new BtError("reply", "the tracker returned bugs out of the order that was requested");
    end = id;
  }
  return end;
}

/**
 * Every bug that a server of the interface alone finds by its parameters, once each. `limit=0` means all, but a server may have a
 * maximum: the list is continued until nothing new comes.
 * @throws BtError of kind reply if the server ignores `offset`, but not `limit`: what it leaves out cannot be read
 */
export async function readAll(search: Compiled, fields: readonly string[], send: SendRequest): Promise<readonly Bug[]> {
  const query: readonly Pair[] = [...pairsOf(search), ["include_fields", fields.join()]];
  const found = new Map<number, Bug>();
  let { bugs, size } = await readFitting(query, 0, send);
  const pageSize = size || bugs.length;
  const [first] = bugs;
  for (let offset = 0; bugs.length > 0; ) {
    for (const bug of bugs) found.set(bug.id, bug);
    offset += bugs.length;
    ({ bugs, size } = await readFitting([...query, ["offset", String(offset)]], pageSize, send));
    if (first === undefined || bugs[0]?.id !== first.id) continue;
    const one = await readFitting(query, 1, send);
    if (one.bugs.length > 1 || found.size === 1) break; // no limit at all: the list was whole
    throw new BtError("reply", `the tracker ignores "offset", so that only the first ${found.size} bugs can be read`, {
      hint: "add criteria, so that fewer bugs match",
    });
  }
  return [...found.values()];
}

/** A page of at most `limit` bugs, 0 is all; halved while the response is too large or too slow. */
async function readFitting(query: readonly Pair[], limit: number, send: SendRequest) {
  for (let size = limit; ; size = size === 0 ? PAGE_SIZE : Math.ceil(size / 2)) {
    try {
      return { size, bugs: readBugs(await send(requestFor(SEARCH_BUGS, [...query, ["limit", String(size)]]))) };
    } catch (error) {
      const isTooSlow = error instanceof BtError && error.facts.httpStatus === 504;
      if (!(isTooBig(error) || isTooSlow) || size === 1) throw error;
    }
  }
}
