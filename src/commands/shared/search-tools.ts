import { requireField } from "../../api/catalog.ts";
import { legalValue } from "../../api/legal-values.ts";
import type { SearchTools } from "../../api/search/bug-search.ts";
import { type Pace, pageMemory, pairingPace } from "../../api/search/pace.ts";
import type { Session } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context } from "../verb.ts";

/** Connection of searches to the tracker of a command. */
export function searchTools({ session, io }: Context): SearchTools {
  const { ticks } = io;
  let shared: Pace | undefined;
  return {
    send: session.send,
    rows: session.facts.rows,
    login: session.login,
    memory: pageMemory(session.facts.memory, io.now()),
    ticks,
    pace: (aloneMs) => {
      shared ??= pairingPace(ticks, aloneMs);
      return shared;
    },
    checkStatuses: (sent, bugs) => checkStatuses(sent, bugs, session),
    knowsAllChanges: session.access === undefined,
    canGroup: session.facts.canGroup,
    note: (sentence) => io.err(`${sentence}\n`),
  };
}

/**
 * Checks the statuses of a search against those of the bugs found. Bugzilla drops a status that it does not know, and then
 * finds bugs in any: the field metadata is read again where a bug has another one.
 * @throws BtError of kind usage for a status that the tracker no longer has
 */
async function checkStatuses(sent: readonly string[], bugs: readonly Bug[], session: Session): Promise<void> {
  if (bugs.every(({ status }) => !status || sent.includes(status))) return;
  const catalog = await session.metadata.freshCatalog();
  if (catalog === undefined) return;
  const field = requireField(catalog, "status");
  for (const status of sent) legalValue(field, status);
}
