import type { Delivery } from "../api/delivery/send-write.ts";
import type { Writer } from "../api/delivery/writer.ts";
import type { Io } from "../io.ts";
import type { Secret } from "../secret.ts";
import type { SessionFlags } from "./flags.ts";
import { note } from "./note.ts";
import type { WriteAccess } from "./session.ts";

/** A session for its writer, with the process and the options of the command line. */
export type WriterParts = WriteAccess & {
  io: Io;
  version: string;
  credential?: () => Promise<Secret | undefined>; // absent: there is none, as in this process
  flags?: SessionFlags; // `asMe` resumes jobs of other users, too
};

/** Creates the writer for one tracker. */
export type OpenWriter = (parts: WriterParts) => Writer;

/** Delivery of the writes to one tracker. */
export function createDelivery(parts: WriterParts, confirmedSince: Delivery["confirmedSince"]): Delivery {
  const { io, isInProcess, exchange, read, send, serverFacts, login } = parts;
  let isNoticeDue = io.terminal.stderr; // before the first delay: a verification takes up to a minute
  return {
    exchange,
    read,
    send,
    serverFacts,
    memory: parts.memory,
    noted: new Set(),
    me: login,
    confirmedSince,
    now: () => io.now().getTime(),
    sleep: async (ms) => {
      if (isNoticeDue && ms > 0) await note(io, "no response; checking whether the write was applied");
      if (ms > 0) isNoticeDue = false;
      await io.sleep(ms);
    },
    pause: io.sleep,
    isStopped: () => io.signal.aborted,
    isInProcess,
    note: (sentence) => void note(io, sentence),
  };
}
