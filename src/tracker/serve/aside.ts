import type { ChildProcess } from "node:child_process";
import type { Reply, Request } from "../../wire/exchange.ts";
import { faultAnswer, toReply } from "../envelope/reply.ts";
import { Fault } from "../fault.ts";
import { mayTakeLong, type Origin, type Tracker } from "../tracker.ts";

/** What a process that answers long reads is asked: which data it serves, and the request as the tracker has it. */
export type Question = {
  readonly file: string;
  readonly isStrict: boolean;
  readonly request: Request;
  readonly origin: Origin | undefined;
};

/** Whose long reads are answered aside, on which data, by which processes, and for how long. */
export type Aside = Pick<Question, "file" | "isStrict"> & {
  readonly tracker: Tracker;
  readonly start: () => ChildProcess; // see reader.ts
  readonly mostMs?: number; // for one request
};

/** A tracker with long reads aside; `close` ends the processes. */
export type WithReadsAside = { readonly tracker: Tracker; readonly close: () => void };

const MOST_MS = 5_000;
const MOST_BYTES = 64 * 1024 * 1024; // more than clients take
const READERS = 2;
const WAITS = 4; // what has to wait for so many others to be ended is not begun

/**
 * A tracker whose searches and other long reads are answered by processes of their own: nobody else waits for them, and
 * one that takes too long is ended with its process. The engine cannot be stopped from within the process that it works in.
 */
export function readingAside({ tracker, start, file, isStrict, mostMs = MOST_MS }: Aside): WithReadsAside {
  const readers = Array.from({ length: READERS }, () => makeReader(start, mostMs));
  const line = waitingLine(readers, mostMs * WAITS);
  return {
    close: () => {
      for (const { end } of readers) end();
    },
    tracker: async (request, origin) => {
      if (!mayTakeLong(request)) return tracker(request, origin);
      const reader = await line.take();
      if (!reader) return refusal(request, BUSY);
      try {
        return await reader.ask({ file, isStrict, request, origin });
      } finally {
        line.give(reader);
      }
    },
  };
}

type Reader = { readonly ask: (question: Question) => Promise<Reply>; readonly end: () => void };

/** One process to ask, one question at a time: started when it is needed, and again after it has ended. */
function makeReader(start: () => ChildProcess, mostMs: number): Reader {
  let running: ChildProcess | undefined;
  const end = () => {
    running?.kill("SIGKILL");
    running = undefined;
  };
  const ask = (question: Question) =>
    new Promise<Reply>((resolve) => {
      if (!running?.connected) running = start().on("error", () => undefined); // also when nothing is asked
      const child = running;
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        child.off("message", settle).off("exit", fail).off("error", fail);
        resolve(reply);
      };
      const giveUp = (fault: Fault) => {
        end();
        settle(refusal(question.request, fault));
      };
      const fail = () => giveUp(ENDED);
      const timer = setTimeout(() => giveUp(tooLong(mostMs)), mostMs);
      child.once("message", settle).once("exit", fail).on("error", fail);
      child.send(question);
    });
  return { ask, end };
}

type Line = { readonly take: () => Promise<Reader | undefined>; readonly give: (reader: Reader) => void };

/** Who is first is served first; nothing after waiting for too long. */
function waitingLine(readers: readonly Reader[], mostMs: number): Line {
  const free = [...readers];
  const waiting = new Set<(reader: Reader) => void>();
  return {
    take: async () =>
      free.pop() ??
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(serve);
          resolve(undefined);
        }, mostMs);
        const serve = (reader: Reader) => {
          clearTimeout(timer);
          resolve(reader);
        };
        waiting.add(serve);
      }),
    give: (reader) => {
      const [first] = waiting;
      if (!first) return void free.push(reader);
      waiting.delete(first);
      first(reader);
    },
  };
}

function refusal(request: Request, fault: Fault): Reply {
  const reply = toReply(request, faultAnswer(fault));
  return fault.status === 503 ? { ...reply, headers: { ...reply.headers, "retry-after": "5" } } : reply;
}

const BUSY = new Fault(503, 32000, "Too many searches are waiting; ask again in a moment.");
const ENDED = new Fault(503, 32000, "What should have answered was ended; ask again.");

// No server's trouble: the same request would take as long again.
function tooLong(mostMs: number): Fault {
  return tooMuch(`it was ended after ${mostMs / 1000} seconds`);
}

/** A tracker that answers with no more than clients take. */
export function bounded(tracker: Tracker): Tracker {
  return async (request, origin) => {
    const reply = await tracker(request, origin);
    return reply.body.length > MOST_BYTES ? refusal(request, tooMuch("its answer would be longer than 64 MiB")) : reply;
  };
}

function tooMuch(why: string): Fault {
  return new Fault(
    400,
    32000,
    `This asks for too much: ${why}. Ask with fewer conditions, for fewer bugs or fewer fields.`,
  );
}
