import type { Delivery, JobStep } from "../../../src/api/delivery/send-write.ts";
import { createServerFacts } from "../../../src/api/delivery/server-facts.ts";
import type { JobEvent } from "../../../src/api/delivery/write.ts";
import { EMPTY_STORE } from "../../../src/api/fact-store.ts";
import { readResponse } from "../../../src/api/response/response.ts";
import { BtError } from "../../../src/errors.ts";
import type { Request, Response } from "../../../src/wire/exchange.ts";
import { POST, PUT } from "./demo-scene.ts";

/** A response that is lost after the request was sent. */
export const LOST = new BtError("unknown", "the connection was closed", { changed: "unknown" });

export function ok(body: unknown, status = 200): Response {
  return { status, headers: {}, body: JSON.stringify(body) };
}

/** Everything that a delivery needs, with canned replies; `steps` takes down what happens, in order. */
export function cannedDelivery(reply: (request: Request) => Response | BtError, rest: Partial<Delivery> = {}) {
  const steps: string[] = [];
  const events: JobEvent[] = [];
  const facts = createServerFacts(() => 0);
  const exchange = async (request: Request): Promise<Response> => {
    steps.push(`${request.method} ${request.path}`);
    const answer = reply(request);
    if (answer instanceof BtError) throw answer;
    facts.observe(answer);
    return answer;
  };
  const read = async (answer: Response, request: Request) => readResponse(answer, request);
  const send = async (request: Request) => read(await exchange(request), request);
  const delivery: Delivery = {
    ...{ exchange, read, send, serverFacts: facts, memory: EMPTY_STORE, noted: new Set() },
    ...{ me: async () => "mei@example.org", confirmedSince: () => [], now: () => 1000 },
    sleep: async () => undefined,
    pause: async (ms) => void steps.push(`pause ${ms}`),
    ...{ isStopped: () => false, isInProcess: false },
    note: () => undefined,
    ...rest,
  };
  const write = (event: JobEvent) => {
    steps.push(event.st);
    events.push(event);
  };
  const step: JobStep = { i: 0, log: { job: "JOB", isJournaled: true, write } };
  return { delivery, step, steps, events };
}

/** An update of one bug, and its response. */
export const WRITE = {
  request: PUT("/rest/bug/7", { ids: [7], whiteboard: "seen" }),
  before: [{ id: 7, whiteboard: "", last_change_time: "1970-01-01T00:00:00Z" }],
};
export const DONE = ok({ bugs: [{ id: 7, changes: {} }] });

/** A tracker with one bug; a write is applied or not, and then answered, refused, or its response lost. */
export function tracker(fate: { readonly applied: boolean; readonly reply: Response | BtError }) {
  let whiteboard = "";
  return (request: Request): Response | BtError => {
    if (request.path.endsWith("/history")) return ok({ bugs: [{ id: 7, history: [] }] });
    if (request.method === "GET") return ok({ bugs: [{ id: 7, whiteboard }] });
    if (fate.applied) whiteboard = "seen";
    return fate.reply;
  };
}

/** A comment on that bug. */
export const COMMENT = { request: POST("/rest/bug/7/comment", { comment: "Seen." }) };
