import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";

/** A recorded request, before anything in it is filled in. */
export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: JsonObject | string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
};

/** Reply of the recorded server. */
export type RecordedResponse = {
  readonly status: number;
  readonly content_type: string | null;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One request of a conversation with its reply. */
export type Exchanged = {
  readonly step: "request" | "setup";
  readonly name: string;
  readonly as: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  readonly trimmed?: boolean;
};

/** One step of a conversation. */
export type Step =
  | Exchanged
  | { readonly step: "server-parameters"; readonly set: Readonly<Record<string, string | number>> }
  | { readonly step: "server-change"; readonly statement: string };

/** The conversations, by area. */
export const AREAS = [
  "auth",
  "bug-create",
  "bug-get",
  "bug-history",
  "bug-search",
  "bug-update",
  "comment-tags",
  "comments",
  "errors",
  "extras",
  "fields",
  "groups",
] as const;

/** The steps of one conversation, in order. */
export function readConversation(area: string): readonly Step[] {
  const url = new URL(`../replay/${area}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as readonly Step[];
}

const WINDOW = /^2026-11-20T05:5\d:\d\dZ$/;

/**
 * When each step happened, as far as its reply (or a later one about what it made) tells: the tracker's clock follows the
 * recorded server's, so that what fell into one second there does so here.
 */
export function stepTimes(steps: readonly Step[]): readonly string[] {
  const births = collectBirths(steps);
  const times: string[] = [];
  for (const step of steps) {
    const seen = "response" in step ? evidence(step, births) : [];
    times.push([times.at(-1) ?? "2026-11-20T05:57:00Z", ...seen].sort().at(-1) ?? "");
  }
  return times;
}

function evidence(step: Exchanged, births: ReadonlyMap<number, string>): readonly string[] {
  const made = isMade(step) ? births.get((step.response.body as { readonly id: number }).id) : undefined;
  return [...timesIn(step.response.body), ...(made === undefined ? [] : [made])];
}

function isMade({ request, response }: Exchanged): boolean {
  return (
    request.method === "POST" && typeof response.body === "object" && response.body !== null && "id" in response.body
  );
}

function timesIn(value: Json): readonly string[] {
  if (typeof value === "string") return WINDOW.test(value) ? [value] : [];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(timesIn) : [];
}

function collectBirths(steps: readonly Step[]): ReadonlyMap<number, string> {
  const births = new Map<number, string>();
  const visit = (value: Json): void => {
    if (value === null || typeof value !== "object") return;
    const { id, creation_time: time } = value as { readonly id?: Json; readonly creation_time?: Json };
    if (typeof id === "number" && typeof time === "string") births.set(id, time);
    Object.values(value).forEach(visit);
  };
  for (const step of steps) {
    if ("response" in step) visit(step.response.body);
  }
  return births;
}
