import { describe, expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import { sendRepeatedly } from "../../src/transport/network.ts";
import { type Fault, faultError } from "../../src/transport/network-errors.ts";
import type { Request, Response } from "../../src/wire/exchange.ts";

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [] };
const WRITE: Request = { method: "PUT", path: "/rest/bug/7", query: [], body: { priority: "High" } };
const OK: Response = { status: 200, headers: {}, body: "{}" };

function busy(status: number, headers: Response["headers"] = {}): Response {
  return { status, headers, body: "" };
}

type Step = Response | Fault;
const refused: Step = fault("ECONNREFUSED", false);
const reset: Step = fault("ECONNRESET", true);
const untrusted: Step = fault("CERT_HAS_EXPIRED", false);

function fault(code: string, isSent: boolean): Fault {
  return { code, isSent, isAnswered: false, cause: Object.assign(new Error(code), { code }) };
}

/** Runs one request against the steps (the last one repeats) and tells what it came to and how long was waited. */
async function run(request: Request, steps: readonly Step[], retry = 3, random = () => 1) {
  const waits: number[] = [];
  let clock = 0;
  let sent = 0;
  const end = await sendRepeatedly(
    request,
    async (attempt) => {
      const step = steps[Math.min(sent, steps.length - 1)] as Step;
      sent += 1;
      if ("body" in step) return step;
      throw faultError(step, { baseUrl: new URL("https://bugs.example.org") }, attempt);
    },
    {
      settings: { retry },
      random,
      trace: undefined,
      io: {
        ticks: () => clock,
        signal: new AbortController().signal,
        sleep: async (ms) => {
          clock += ms;
          waits.push(ms);
        },
      },
    },
  ).catch((error: unknown) => error);
  return { sent, waits, end: end instanceof BtError ? `${end.kind}: ${end.message}` : (end as Response).status };
}

describe("a read", () => {
  test.each([
    ["A1 nothing listens: three retries", [refused], { sent: 4, waits: [500, 1000, 2000] }],
    ["A3 always reset: four attempts", [reset], { sent: 4, waits: [500, 1000, 2000] }],
    ["A7 no response once, then a good one", [reset, OK], { sent: 2, end: 200 }],
    ["A12 502 once, then a good response", [busy(502), OK], { sent: 2, waits: [500], end: 200 }],
    ["A13 503 with Retry-After: 2", [busy(503, { "retry-after": "2" }), OK], { sent: 2, waits: [3000], end: 200 }],
    ["A14 429 with Retry-After: 2", [busy(429, { "retry-after": "2" }), OK], { sent: 2, waits: [3000], end: 200 }],
    ["A15 a delay of a day is not awaited", [busy(429, { "retry-after": "86400" })], { sent: 1, waits: [], end: 429 }],
    ["A16 500 always: one retry", [busy(500)], { sent: 2, end: 500 }],
    ["a 429 without a delay is final", [busy(429)], { sent: 1, end: 429 }],
    ["a refusal is final", [busy(400)], { sent: 1, end: 400 }],
    ["an invalid certificate is final", [untrusted], { sent: 1 }],
  ] as const)("%s", async (_, steps, expected) => {
    expect(await run(READ, steps)).toMatchObject(expected);
  });

  test("the delay may be a date, relative to the clock of the server", async () => {
    const headers = { "retry-after": "Fri, 20 Nov 2026 10:00:05 GMT", date: "Fri, 20 Nov 2026 10:00:00 GMT" };
    expect((await run(READ, [busy(503, headers), OK], 3, () => 0)).waits).toEqual([5000]);
  });

  test("up to five retries are made, but of a server error one", async () => {
    expect((await run(READ, [reset], 5)).sent).toBe(6);
    expect((await run(READ, [busy(502)], 5)).sent).toBe(6);
    expect((await run(READ, [busy(500)], 5)).sent).toBe(2);
  });
});

describe("a write", () => {
  test.each([
    ["C14 that was never sent is retried", [refused, OK], { sent: 2, end: 200 }],
    ["that may have arrived is not", [reset], { sent: 1 }],
    ["C3 with a 502 is not", [busy(502)], { sent: 1, end: 502 }],
    ["with a 503 alone is not", [busy(503)], { sent: 1, end: 503 }],
    ["C15 refused with 429 and a delay is retried", [busy(429, { "retry-after": "2" }), OK], { sent: 2, end: 200 }],
    ["is not delayed for longer than a minute", [busy(429, { "retry-after": "90" })], { sent: 1, waits: [], end: 429 }],
    ["is not sent again after a 429 without a delay", [busy(429), OK], { sent: 1, waits: [], end: 429 }],
    ["refused with 503 and a delay is not", [busy(503, { "retry-after": "1" })], { sent: 1, waits: [], end: 503 }],
  ] as const)("%s", async (_, steps, expected) => {
    expect(await run(WRITE, steps)).toMatchObject(expected);
  });
});
