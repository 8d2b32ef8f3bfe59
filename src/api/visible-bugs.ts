import type { Bug } from "../wire/bug.ts";
import type { Request } from "../wire/exchange.ts";
import { type BugRef, byName, isBugId, namesOf } from "./bug-ref.ts";
import { type Ask, get } from "./operation.ts";
import { readBugs } from "./read.ts";

/** What the batches of one command share, so that many missing bugs cost few requests. */
export type Allowance = {
  spare: number; // requests left beyond a search and an answer for each batch
  searchesFirst: boolean; // several bugs were missing, so that others will be
  uncut: number; // a search for this many bugs is known to give all of them
};

/** How many requests a command may spend on the reasons why bugs are missing. */
export const MOST_SPARE = 20;

/**
 * The bugs that a search finds, which leaves out without an error what is missing or hidden. A server may give fewer bugs than
 * there are, the first by number; the ones behind the last are then searched for again.
 */
export async function visible(refs: readonly BugRef[], ask: Ask, allowance: Allowance): Promise<ReadonlySet<BugRef>> {
  const there = new Set<BugRef>();
  for (let [rest, before] = [refs, 0]; rest.length > 0; allowance.spare -= 1) {
    const bugs = readBugs(await ask(searchFor(rest)));
    const find = byName(bugs.map((bug) => ({ names: namesOf(bug) })));
    for (const ref of rest.filter(find)) there.add(ref);
    if (bugs.length === 0) allowance.uncut = Math.max(allowance.uncut, before);
    if (bugs.length <= allowance.uncut || allowance.spare <= 0) break;
    before = bugs.length;
    rest = behind(
      rest.filter((ref) => !there.has(ref)),
      bugs,
    );
  }
  return there;
}

/** The bugs that a cut answer may have left out; any alias may be of a bug behind its last one. */
function behind(refs: readonly BugRef[], bugs: readonly Bug[]): readonly BugRef[] {
  const last = Math.max(...bugs.map(({ id }) => id ?? 0));
  return refs.filter((ref) => !isBugId(ref) || Number(ref) > last);
}

function searchFor(refs: readonly BugRef[]): Request {
  const [ids, aliases] = [refs.filter(isBugId), refs.filter((ref) => !isBugId(ref))];
  const rows = [["bug_id", ids] as const, ["alias", aliases] as const].filter(([, words]) => words.length > 0);
  const conditions = rows.flatMap(([field, words], at) => [
    [`f${at + 1}`, field] as const,
    [`o${at + 1}`, "anyexact"] as const,
    [`v${at + 1}`, words.join(",")] as const,
  ]);
  return get("/rest/bug", [
    ["j_top", "OR"],
    ...conditions,
    ["include_fields", "id,alias"],
    ["order", "bug_id"],
    ["limit", String(refs.length)],
  ]);
}
