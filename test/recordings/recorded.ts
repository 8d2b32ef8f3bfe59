import type { Json, JsonObject, Response } from "../../src/wire/exchange.ts";
import { AREAS, type Exchanged, readConversation } from "../conformance/conversation.ts";
import elsewhere from "./other-zones.json" with { type: "json" };

/** A recorded exchange, and the area of the interface that it belongs to. */
export type Recorded = Exchanged & { readonly area: string };

/** Every recorded exchange: the conversations, and what servers in other time zones said. */
export const RECORDED: readonly Recorded[] = [
  ...AREAS.flatMap((area) => readConversation(area).flatMap((step) => ("response" in step ? [{ ...step, area }] : []))),
  ...(elsewhere as unknown as readonly Recorded[]),
];

/** A recorded reply as it came over the wire. */
export function responseOf({ response }: Exchanged): Response {
  const headers = response.content_type === null ? {} : { "content-type": response.content_type };
  const isText = typeof response.body === "string";
  return { status: response.status, headers, body: isText ? String(response.body) : JSON.stringify(response.body) };
}

/** The JSON object that was answered; empty when it was something else. */
export function bodyOf({ response: { body } }: Exchanged): JsonObject {
  return body !== null && typeof body === "object" && !Array.isArray(body) ? (body as JsonObject) : {};
}

/** A list in a recorded answer. */
export function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** A value whose inner lists are sorted, since servers give most of them in any order; the list itself keeps its own. */
export function loosely(value: Json): Json {
  return Array.isArray(value) ? (value as readonly Json[]).map(sortedInside) : sortedInside(value);
}

function sortedInside(value: Json): Json {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(sortedInside);
    return items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value as JsonObject).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(parts.map(([key, part]) => [key, sortedInside(part)]));
}
