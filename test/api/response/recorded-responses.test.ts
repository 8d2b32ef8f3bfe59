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
  if (typeof body === "string") return status < 300 && body.startsWith("/**/");
  return status < 300 && !(body as { readonly error?: boolean }).error;
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
      if (!("error" in read) || code === undefined) continue;
      expect(read.error.facts.bugzillaCode).toBe(code);
      expect(read.error.message).toContain(message.split("\n")[0].replace(/\s+/g, " ").trim().slice(0, 60));
    }
  });
});

test("each code maps to one kind, except ambiguous codes", () => {
  const kinds = new Map<string, Set<string>>();
  for (const exchanged of recorded.flatMap(([, exchanges]) => exchanges)) {
    const read = outcome(exchanged);
    if (!("error" in read)) continue;
    const { bugzillaCode, httpStatus } = read.error.facts;
    const name = bugzillaCode ? `code ${bugzillaCode}` : `status ${httpStatus ?? exchanged.response.status}`;
    kinds.set(name, (kinds.get(name) ?? new Set()).add(read.error.kind));
  }
  const byKind = new Map<string, string[]>();
  for (const [name, of] of kinds) {
    const kind = [...of].sort().join(" or ");
    byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  const number = (name: string) => Number(name.split(" ")[1]);
  const lines = [...byKind].map(
    ([kind, names]) => `${kind}: ${names.sort((a, b) => number(a) - number(b)).join(", ")}`,
  );
  expect(lines.sort().join("\n")).toMatchInlineSnapshot(`
    "auth or refused: code 32000
    auth: code 102, code 106, code 109, code 110, code 113, code 115, code 300, code 301, code 304, code 306, status 403, code 410, code 505, code 805
    busy or unknown: code 100500
    busy: status 503
    missing or refused or usage: code 51
    missing: code 100, code 101, code 111, code 32614
    refused: code 50, code 52, code 53, code 54, code 55, code 56, code 57, code 58, code 103, code 104, code 105, code 107, code 108, code 112, code 114, code 116, code 117, code 118, code 119, code 120, code 121, code 122, code 123, code 125, code 126, code 127, code 128, code 129, code 130, code 131, code 132, code 133, code 134, status 400, status 414, code 500, code 501, code 600, code 601, code 604, code 606, code 800, code 801, code 802, code 803, code 900, code 1000, code 32611, code 67399, code 68000
    reply or unknown: status 200
    reply: status 404
    usage: code 504"
  `);
});
