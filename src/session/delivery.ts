import type { Journal } from "../api/delivery/journal.ts";
import type { Around } from "../api/delivery/outcome.ts";
import type { Io } from "../io.ts";
import { note } from "./note.ts";
import type { WriteAccess } from "./session.ts";

/** A session for its journal, with the process. */
export type JournalParts = WriteAccess & { io: Io; version: string };

/** Opens the journal of one tracker. */
export type OpenJournal = (parts: JournalParts) => Journal;

/** What the delivery of writes to one tracker needs from around it. */
export function createAround(parts: JournalParts): Around {
  const { io, isInProcess, exchange, read, serverFacts, login, dialect } = parts;
  let isNoticeDue = io.terminal.stderr; // before the first delay: looks take up to half a minute
  return {
    exchange,
    read,
    isInProcess,
    clock: { now: serverFacts.time, ticks: io.ticks },
    dialect,
    me: login,
    sleep: async (ms) => {
      if (isNoticeDue && ms > 0) await note(io, "no response; checking whether the write was applied");
      if (ms > 0) isNoticeDue = false;
      await io.sleep(ms);
    },
    isStopped: () => io.signal.aborted,
    note: (sentence) => void note(io, sentence),
  };
}
