import { describe, expect, test } from "vitest";
import { readResponse } from "../../../src/api/response/response.ts";
import { BtError } from "../../../src/errors.ts";
import type { Request, Response } from "../../../src/wire/exchange.ts";
import { AREAS, type Exchanged, readConversation } from "../../conformance/conversation.ts";

/** A recorded reply as it came over the wire. */
function responseOf({ response }: Exchanged): Response {
  const headers = response.content_type === null ? {} : { "content-type": response.content_type };
  const isText = typeof response.body === "string";
  return { status: response.status, headers, body: isText ? String(response.body) : JSON.stringify(response.body) };
}

function requestOf({ request }: Exchanged): Request {
  return { method: request.method, path: request.path, query: [] };
}

/** True if the recorded server did what was asked: by what it said, not by what the client makes of it. */
function succeeded({ response: { status, body } }: Exchanged): boolean {
  return status < 300 && typeof body !== "string" && !(body as { readonly error?: boolean }).error;
}

function outcome(exchanged: Exchanged): { readonly value: unknown } | { readonly error: BtError } {
  try {
    return { value: readResponse(responseOf(exchanged), requestOf(exchanged)) };
  } catch (error) {
    if (error instanceof BtError) return { error };
    throw error;
  }
}

const recorded = AREAS.map((area) => {
  const steps = readConversation(area).filter((step): step is Exchanged => "response" in step);
  return [area, steps.filter(({ response }) => response.status !== 304)] as const;
});

describe.each(recorded)("the replies of %s", (_, exchanges) => {
  test("a success is read without loss, and nothing else counts as one", () => {
    for (const exchanged of exchanges) {
      const read = outcome(exchanged);
      expect(["value" in read, exchanged.name]).toEqual([succeeded(exchanged), exchanged.name]);
      if ("value" in read && typeof exchanged.response.body !== "string") {
        expect(read.value).toEqual(exchanged.response.body);
      }
    }
  });

  test("an error keeps the code of the tracker and the first line of its message", () => {
    for (const exchanged of exchanges) {
      const read = outcome(exchanged);
      const { code, message } = Object(exchanged.response.body);
      if (!("error" in read) || code === undefined || read.error.message === "not logged in") continue;
      expect(read.error.facts.bugzillaCode).toBe(code);
      expect(read.error.message).toContain(message.split("\n")[0].replace(/\s+/g, " ").trim().slice(0, 60));
    }
  });
});
