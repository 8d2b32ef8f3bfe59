import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../src/tracker/store/store.ts";
import { createTracker, type Tracker } from "../../src/tracker/tracker.ts";
import type { Json, JsonObject, Request, Response } from "../../src/wire/exchange.ts";
import { recordedParameters, recordedStore } from "../tracker/state.ts";
import { ACCEPTED, type Accepted, type StandIn } from "./accepted.ts";
import { type Compared, differences } from "./compare.ts";
import { type Exchanged, readConversation, type Step, stepTimes } from "./conversation.ts";
import { makeKeysReal, realKey } from "./keys.ts";
import { SERVER_CHANGES } from "./server-changes.ts";

/** Outcome of one recorded exchange; no differences means that the tracker answered equally. */
export type Outcome = {
  readonly area: string;
  readonly name: string;
  readonly exchanged: Exchanged;
  readonly differences: readonly string[];
  readonly accepted: Accepted | undefined; // why it may differ
};

/** Replays one conversation in order, from the recorded start, and says where the tracker answers otherwise. */
export async function replay(area: string): Promise<readonly Outcome[]> {
  const steps = readConversation(area);
  const times = stepTimes(steps);
  const store = recordedStore();
  makeKeysReal(store);
  const clock = { now: new Date(0) };
  const stage: Stage = { store, clock, random: counting(), heard: new Map() };
  const outcomes: Outcome[] = [];
  for (const [index, step] of steps.entries()) {
    clock.now = new Date(times[index] ?? 0);
    if ("response" in step) {
      useUpNumbers(store, steps.slice(0, index), step);
      const accepted = ACCEPTED.find((known) => known.area === area && known.names.includes(step.name));
      const differences = await compared(stage, step, accepted?.instead);
      outcomes.push({ area, name: step.name, exchanged: step, differences, accepted });
    } else {
      changeServer(store, step);
    }
  }
  store.close();
  return outcomes;
}

type Stage = {
  readonly store: Store;
  readonly clock: { now: Date };
  readonly random: (bytes: number) => Uint8Array;
  readonly heard: Map<string, string>;
};

// What an accepted difference would change is done to a copy; the conversation goes on as it was recorded.
async function compared(stage: Stage, step: Exchanged, instead?: readonly StandIn[]): Promise<readonly string[]> {
  if (!instead) return answered(stage, step);
  const copy = { ...stage, store: copied(stage.store) };
  const found = await answered(copy, step);
  copy.store.close();
  for (const { as, method, path, body, then } of instead) {
    const ask = createTracker(stage.store, { now: () => stage.clock.now, random: stage.random });
    await ask({ method, path, query: [["api_key", realKey(`{${as}_key}`)]], body: body as JsonObject });
    if (then !== undefined) stage.store.run(then);
  }
  return found;
}

async function answered({ store, clock, random, heard }: Stage, step: Exchanged): Promise<readonly string[]> {
  const failures: unknown[] = [];
  const ask = createTracker(store, { now: () => clock.now, random, report: (failure) => failures.push(failure) });
  return [...(await exchange(ask, heard, step)), ...failures.map(String)];
}

function copied(store: Store): Store {
  const folder = mkdtempSync(join(tmpdir(), "bt-conformance-"));
  const file = join(folder, "copy.db");
  store.run("VACUUM INTO ?", [file]);
  const copy = openStore(file);
  return {
    ...copy,
    close: () => {
      copy.close();
      rmSync(folder, { recursive: true });
    },
  };
}

// Bugs that were not filed for a fault used up numbers on the recorded server; as many are used up here before the next one.
function useUpNumbers(store: Store, earlier: readonly Step[], { request, response }: Exchanged): void {
  const isFiling = (step: Step) =>
    "request" in step && step.request.method === "POST" && step.request.path === "/rest/bug";
  const filed = (response.body as { readonly id?: number } | null)?.id;
  if (!isFiling({ request, response } as Exchanged) || filed === undefined) return;
  const filings = earlier.filter(isFiling) as readonly Exchanged[];
  const failed =
    filings.length - 1 - filings.findLastIndex(({ response: { body } }) => Object.hasOwn(Object(body), "id"));
  store.run("UPDATE sqlite_sequence SET seq = min(seq + ?, ?) WHERE name = 'bugs' AND seq < ?", [
    failed,
    filed - 1,
    filed - 1,
  ]);
}

function counting() {
  let state = 1;
  return (bytes: number) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (state * 48271) % 2147483647;
      return state & 255;
    });
}

function changeServer(store: Store, step: Exclude<Step, Exchanged>): void {
  if (step.step === "server-change") {
    const change = SERVER_CHANGES[step.statement] ?? "this change has no translation";
    store.exec(`PRAGMA foreign_keys = OFF; ${change}; PRAGMA foreign_keys = ON`);
    return;
  }
  store.run("DELETE FROM parameters");
  for (const [name, value] of recordedParameters(step.set)) {
    store.run("INSERT INTO parameters (name, value) VALUES (?, ?)", [name, value]);
  }
}

async function exchange(ask: Tracker, heard: Map<string, string>, step: Exchanged): Promise<readonly string[]> {
  const reply = await ask(toRequest(step, heard));
  remember(heard, step, reply);
  return differences(step.response, gotOf(step, reply));
}

function toRequest({ request, as }: Exchanged, heard: ReadonlyMap<string, string>): Request {
  const fill = (text: string) => filled(text, as, heard);
  const headers = Object.entries({ "content-type": "application/json", ...lowerCased(request.headers ?? {}) });
  return {
    method: request.method,
    path: request.path,
    query: Object.entries(request.query).flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one): [string, string] => [name, fill(one)]),
    ),
    headers: Object.fromEntries(headers.flatMap(([name, value]) => (value === null ? [] : [[name, fill(value)]]))),
    ...(request.body === null ? {} : { body: deepFilled(request.body, fill) }),
  };
}

function lowerCased(headers: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function deepFilled(body: JsonObject | string, fill: (text: string) => string): JsonObject | string {
  return typeof body === "string"
    ? fill(body)
    : (JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
        typeof value === "string" ? fill(value) : value,
      ) as JsonObject);
}

// Keys stand in the recordings as {alice_key}; tokens are those heard in this run; long texts were cut to their
// first characters, which repeat.
function filled(text: string, as: string, heard: ReadonlyMap<string, string>): string {
  return lengthened(text)
    .replace("{alice_key_other_case}", realKey("{ALICE_KEY}"))
    .replace(/\{\w+_key\}/, realKey)
    .replace("{alice_token}", heard.get("token of alice") ?? "")
    .replace(/^\d+-\{token\}$/, heard.get(`token of ${as}`) ?? "2-neverissued");
}

function lengthened(text: string): string {
  const [, start, count] = /^(.+)\.\.\.\[(\d+) chars in all\]$/s.exec(text) ?? [];
  if (start === undefined) return text;
  const period = [1, 2, 3, 4].find((length) => start === start.slice(0, length).repeat(60).slice(0, start.length)) ?? 1;
  return start
    .slice(0, period)
    .repeat(Number(count))
    .slice(0, Number(count))
    .replace(/,$/, period === 2 ? "2" : ",");
}

function remember(heard: Map<string, string>, { as, request }: Exchanged, reply: Response): void {
  if (request.path === "/rest/login" && reply.status === 200) {
    heard.set(`token of ${as}`, String((JSON.parse(reply.body) as { readonly token: string }).token));
  }
}

function gotOf(step: Exchanged, reply: Response): Compared {
  const content_type = reply.headers["content-type"] ?? null;
  const body = content_type?.startsWith("application/json") && reply.body !== "" ? JSON.parse(reply.body) : reply.body;
  return {
    status: reply.status,
    content_type,
    body: step.trimmed === true ? trimmedLike(step.response.body, body) : body,
  };
}

// Texts that the recording cut end in "..."; there, only what it kept is compared.
function trimmedLike(wanted: Json, got: Json): Json {
  if (typeof wanted === "string" && typeof got === "string" && wanted.endsWith("...")) {
    return got.startsWith(wanted.slice(0, -3)) ? wanted : got;
  }
  if (typeof wanted !== "object" || wanted === null || typeof got !== "object" || got === null) return got;
  if (Array.isArray(got)) {
    return got.map((item, index) => trimmedLike((wanted as readonly Json[])[index] ?? null, item as Json));
  }
  return Object.fromEntries(
    Object.entries(got).map(([name, value]) => [name, trimmedLike((wanted as JsonObject)[name] ?? null, value)]),
  );
}
