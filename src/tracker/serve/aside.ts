import type { ChildProcess } from "node:child_process";
import type { Reply, Request } from "../../wire/exchange.ts";
import { faultAnswer, toReply } from "../envelope/reply.ts";
import { Fault } from "../fault.ts";
import { mayTakeLong, type Origin, type Tracker } from "../tracker.ts";

/** What a process that answers searches is asked: which data it serves, and the request as the tracker has it. */
export type Question = {
  readonly file: string;
  readonly isStrict: boolean;
  readonly request: Request;
  readonly origin: Origin | undefined;
};

/** Whose searches are answered aside, on which data, by which processes, and for how long. */
export type Aside = Pick<Question, "file" | "isStrict"> & {
  readonly tracker: Tracker;
  readonly start: () => ChildProcess; // see searcher.ts
  readonly mostMs?: number; // for one search
};

/** A tracker with searches aside; `close` ends the processes. */
export type WithSearchesAside = { readonly tracker: Tracker; readonly close: () => void };

const MOST_MS = 5_000;
const SEARCHERS = 2;
const WAITS = 4; // a search that has to wait for so many others to be ended is not begun

/**
 * A tracker whose searches are answered by processes of their own: nobody else waits for them, and one that takes too
 * long is ended with its process. The engine cannot be stopped from within the process that it works in.
 */
export function searchingAside({ tracker, start, file, isStrict, mostMs = MOST_MS }: Aside): WithSearchesAside {
  const searchers = Array.from({ length: SEARCHERS }, () => makeSearcher(start, mostMs));
  const line = waitingLine(searchers, mostMs * WAITS);
  return {
    close: () => {
      for (const { end } of searchers) end();
    },
    tracker: async (request, origin) => {
      if (!mayTakeLong(request)) return tracker(request, origin);
      const searcher = await line.take();
      if (!searcher) return refusal(request, BUSY);
      const reply = await searcher.ask({ file, isStrict, request, origin });
      line.give(searcher);
      return reply;
    },
  };
}

type Searcher = { readonly ask: (question: Question) => Promise<Reply>; readonly end: () => void };

/** One process to ask, one question at a time: started when it is needed, and again after it has ended. */
function makeSearcher(start: () => ChildProcess, mostMs: number): Searcher {
  let running: ChildProcess | undefined;
  const end = () => {
    running?.kill("SIGKILL");
    running = undefined;
  };
  const ask = (question: Question) =>
    new Promise<Reply>((resolve) => {
      if (!running?.connected) running = start();
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

type Line = { readonly take: () => Promise<Searcher | undefined>; readonly give: (searcher: Searcher) => void };

/** Who is first is served first; nothing after waiting for too long. */
function waitingLine(searchers: readonly Searcher[], mostMs: number): Line {
  const free = [...searchers];
  const waiting = new Set<(searcher: Searcher) => void>();
  return {
    take: async () =>
      free.pop() ??
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(serve);
          resolve(undefined);
        }, mostMs);
        const serve = (searcher: Searcher) => {
          clearTimeout(timer);
          resolve(searcher);
        };
        waiting.add(serve);
      }),
    give: (searcher) => {
      const [first] = waiting;
      if (!first) return void free.push(searcher);
      waiting.delete(first);
      first(searcher);
    },
  };
}

function refusal(request: Request, fault: Fault): Reply {
  const reply = toReply(request, faultAnswer(fault));
  return fault.status === 503 ? { ...reply, headers: { ...reply.headers, "retry-after": "5" } } : reply;
}

const BUSY = new Fault(503, 32000, "Too many searches are waiting; ask again in a moment.");
const ENDED = new Fault(503, 32000, "The search was ended by something else; ask again.");

// No server's trouble: the same search would take as long again.
function tooLong(mostMs: number): Fault {
  const seconds = mostMs / 1000;
  return new Fault(
    400,
    32000,
    `This search is too large: it was ended after ${seconds} seconds. Fewer conditions, or fewer patterns and comments to look through, take less.`,
  );
}
