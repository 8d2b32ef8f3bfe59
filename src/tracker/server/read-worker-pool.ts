import type { ChildProcess } from "node:child_process";
import type { Request, Response } from "../../wire/exchange.ts";
import { Fault } from "../http/fault.ts";
import { encodeResponse, faultResponse } from "../http/response.ts";
import { isLongRead, type RequestOrigin, type Tracker } from "../tracker.ts";

/** Message to a read worker: data file, request and its origin. */
export type LongRead = {
  file: string;
  isStrict: boolean;
  request: Request;
  origin: RequestOrigin | undefined;
};

/** Tracker whose long reads are moved to workers, its data file, and how a worker is started. */
export type ReadWorkerOptions = {
  file: string;
  isStrict: boolean;
  tracker: Tracker;
  start: () => ChildProcess; // see read-worker.ts
  timeoutMs?: number; // limit for one request
};

/** Tracker that runs long reads in workers; `close` stops the workers. */
export type ReadWorkerPool = { tracker: Tracker; close: () => void };

const MAX_READ_MS = 5_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024; // clients reject larger ones
const WORKER_COUNT = 2;
const MAX_QUEUED_READS = 4; // a read that would wait for more timeouts than these is rejected

/**
 * A tracker that runs searches and other long reads in separate processes, so that they block no other request. A read
 * that exceeds the timeout is ended by killing its process: SQLite cannot be interrupted from within its own thread.
 */
export function createReadWorkerPool({
  tracker,
  start,
  file,
  isStrict,
  timeoutMs = MAX_READ_MS,
}: ReadWorkerOptions): ReadWorkerPool {
  const workers = Array.from({ length: WORKER_COUNT }, () => createReadWorker(start, timeoutMs));
  const queue = workerQueue(workers, timeoutMs * MAX_QUEUED_READS);
  return {
    close: () => {
      for (const { stop } of workers) stop();
    },
    tracker: async (request, origin) => {
      if (!isLongRead(request)) return tracker(request, origin);
      const worker = await queue.acquire();
      if (!worker) return errorResponse(request, BUSY);
      try {
        return await worker.execute({ file, isStrict, request, origin });
      } finally {
        queue.release(worker);
      }
    },
  };
}

type ReadWorker = { execute: (read: LongRead) => Promise<Response>; stop: () => void };

/** One worker process that runs one read at a time; started on demand and again after it exits. */
function createReadWorker(start: () => ChildProcess, timeoutMs: number): ReadWorker {
  let running: ChildProcess | undefined;
  const stop = () => {
    running?.kill("SIGKILL");
    running = undefined;
  };
  const execute = (read: LongRead) =>
    new Promise<Response>((resolve) => {
      if (!running?.connected) running = start().on("error", () => undefined); // also between reads
      const child = running;
      const settle = (response: Response) => {
        clearTimeout(timer);
        child.off("message", settle).off("exit", fail).off("error", fail);
        resolve(response);
      };
      const abort = (fault: Fault) => {
        stop();
        settle(errorResponse(read.request, fault));
      };
      const fail = () => abort(WORKER_ENDED);
      const timer = setTimeout(() => abort(readTimedOutFault(timeoutMs)), timeoutMs);
      child.once("message", settle).once("exit", fail).on("error", fail);
      child.send(read);
    });
  return { execute, stop };
}

type WorkerQueue = {
  acquire: () => Promise<ReadWorker | undefined>;
  release: (worker: ReadWorker) => void;
};

/** First-come queue for idle workers; `acquire` resolves to undefined after `timeoutMs`. */
function workerQueue(workers: ReadWorker[], timeoutMs: number): WorkerQueue {
  const free = [...workers];
  const waiting = new Set<(worker: ReadWorker) => void>();
  return {
    acquire: async () =>
      free.pop() ??
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(serve);
          resolve(undefined);
        }, timeoutMs);
        const serve = (worker: ReadWorker) => {
          clearTimeout(timer);
          resolve(worker);
        };
        waiting.add(serve);
      }),
    release: (worker) => {
      const [first] = waiting;
      if (!first) return void free.push(worker);
      waiting.delete(first);
      first(worker);
    },
  };
}

function errorResponse(request: Request, fault: Fault): Response {
  const response = encodeResponse(request, faultResponse(fault));
  return fault.status === 503 ? { ...response, headers: { ...response.headers, "retry-after": "5" } } : response;
}

const BUSY = new Fault("other", "Too many searches are queued; retry later.", 503);
const WORKER_ENDED = new Fault("other", "The search process was stopped; retry later.", 503);

// 503, since the time says as much about a busy machine as about the request: a client may retry it.
function readTimedOutFault(timeoutMs: number): Fault {
  return tooMuchFault(`it was ended after ${timeoutMs / 1000} seconds`, 503);
}

/** Tracker that replaces responses longer than 64 MiB by an error. */
export function limitResponseSize(tracker: Tracker): Tracker {
  return async (request, origin) => {
    const response = await tracker(request, origin);
    return response.body.length > MAX_RESPONSE_BYTES
      ? errorResponse(request, tooMuchFault("its answer would be longer than 64 MiB"))
      : response;
  };
}

function tooMuchFault(why: string, status?: number): Fault {
  return new Fault(
    "other",
    `This asks for too much: ${why}. Ask with fewer conditions, for fewer bugs or fewer fields.`,
    status,
  );
}
