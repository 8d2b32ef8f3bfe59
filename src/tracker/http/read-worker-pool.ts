import type { ChildProcess } from "node:child_process";
import type { Reply, Request } from "../../wire/exchange.ts";
import { Fault } from "./fault.ts";
import { faultResponse, toReply } from "./response.ts";
import { isLongRead, type RequestOrigin, type Tracker } from "./tracker.ts";

/** What a process that answers long reads is asked: which data it serves, and the request as the tracker has it. */
export type LongRead = {
  readonly file: string;
  readonly isStrict: boolean;
  readonly request: Request;
  readonly origin: RequestOrigin | undefined;
};

/** Whose long reads are answered aside, on which data, by which processes, and for how long. */
export type ReadWorkerOptions = Pick<LongRead, "file" | "isStrict"> & {
  readonly tracker: Tracker;
  readonly start: () => ChildProcess; // see read-worker.ts
  readonly mostMs?: number; // for one request
};

/** A tracker with long reads aside; `close` ends the processes. */
export type ReadWorkerPool = { readonly tracker: Tracker; readonly close: () => void };

const MAX_READ_MS = 5_000;
const MAX_REPLY_BYTES = 64 * 1024 * 1024; // more than clients take
const WORKERS = 2;
const MAX_TURNS_WAITED = 4; // what has to wait for so many others to be ended is not begun

/**
 * A tracker whose searches and other long reads are answered by processes of their own: nobody else waits for them, and
 * one that takes too long is ended with its process. The engine cannot be stopped from within the process that it works in.
 */
export function createReadWorkerPool({
  tracker,
  start,
  file,
  isStrict,
  mostMs = MAX_READ_MS,
}: ReadWorkerOptions): ReadWorkerPool {
  const readers = Array.from({ length: WORKERS }, () => createReadWorker(start, mostMs));
  const line = workerQueue(readers, mostMs * MAX_TURNS_WAITED);
  return {
    close: () => {
      for (const { end } of readers) end();
    },
    tracker: async (request, origin) => {
      if (!isLongRead(request)) return tracker(request, origin);
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

type ReadWorker = { readonly ask: (question: LongRead) => Promise<Reply>; readonly end: () => void };

/** One process to ask, one question at a time: started when it is needed, and again after it has ended. */
function createReadWorker(start: () => ChildProcess, mostMs: number): ReadWorker {
  let running: ChildProcess | undefined;
  const end = () => {
    running?.kill("SIGKILL");
    running = undefined;
  };
  const ask = (question: LongRead) =>
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
      const fail = () => giveUp(WORKER_ENDED);
      const timer = setTimeout(() => giveUp(tooLong(mostMs)), mostMs);
      child.once("message", settle).once("exit", fail).on("error", fail);
      child.send(question);
    });
  return { ask, end };
}

type WorkerQueue = {
  readonly take: () => Promise<ReadWorker | undefined>;
  readonly give: (reader: ReadWorker) => void;
};

/** Who is first is served first; nothing after waiting for too long. */
function workerQueue(readers: readonly ReadWorker[], mostMs: number): WorkerQueue {
  const free = [...readers];
  const waiting = new Set<(reader: ReadWorker) => void>();
  return {
    take: async () =>
      free.pop() ??
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(serve);
          resolve(undefined);
        }, mostMs);
        const serve = (reader: ReadWorker) => {
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
  const reply = toReply(request, faultResponse(fault));
  return fault.status === 503 ? { ...reply, headers: { ...reply.headers, "retry-after": "5" } } : reply;
}

const BUSY = new Fault(503, 32000, "Too many searches are waiting; ask again in a moment.");
const WORKER_ENDED = new Fault(503, 32000, "What should have answered was ended; ask again.");

// No server's trouble: the same request would take as long again.
function tooLong(mostMs: number): Fault {
  return tooMuch(`it was ended after ${mostMs / 1000} seconds`);
}

/** A tracker that answers with no more than clients take. */
export function limitReplySize(tracker: Tracker): Tracker {
  return async (request, origin) => {
    const reply = await tracker(request, origin);
    return reply.body.length > MAX_REPLY_BYTES
      ? refusal(request, tooMuch("its answer would be longer than 64 MiB"))
      : reply;
  };
}

function tooMuch(why: string): Fault {
  return new Fault(
    400,
    32000,
    `This asks for too much: ${why}. Ask with fewer conditions, for fewer bugs or fewer fields.`,
  );
}
