import { requireField } from "../../api/catalog/catalog.ts";
import { legalValue } from "../../api/catalog/legal-values.ts";
import type { SearchTools } from "../../api/search/bug-search.ts";
import { createPageMemory, createPairingPace, type Pace } from "../../api/search/pace.ts";
import type { Context } from "../verb.ts";

/** Tools of searches on the tracker of a command. */
export function searchTools({ session, io }: Context): SearchTools {
  const { ticks } = io;
  let shared: Pace | undefined;
  return {
    send: session.send,
    rows: session.facts.rows,
    login: session.login,
    memory: createPageMemory(session.facts.memory, io.now()),
    ticks,
    pace: (aloneMs) => {
      shared ??= createPairingPace(ticks, aloneMs);
      return shared;
    },
    checkStatuses: async (sent, bugs) => {
      if (bugs.every(({ status }) => !status || sent.includes(status))) return;
      const catalog = await session.metadata.freshCatalog();
      if (catalog === undefined) return;
      const field = requireField(catalog, "status");
      for (const status of sent) legalValue(field, status);
    },
    knowsAllChanges: session.facts.isInProcess,
    canGroup: session.facts.isInProcess,
    note: (sentence) => io.err(`${sentence}\n`),
  };
}
