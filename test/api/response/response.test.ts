import { describe, expect, test } from "vitest";
import { SEARCH_BUGS } from "../../../src/api/operations/bugs.ts";
import { requestFor } from "../../../src/api/operations/operation.ts";
import { readResponse } from "../../../src/api/response/response.ts";
import { BtError } from "../../../src/errors.ts";
import type { Request, Response } from "../../../src/wire/exchange.ts";
import { jsonResponse } from "../../servers/responses.ts";

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [] };
const SEARCH = requestFor(SEARCH_BUGS, { priority: "P9" });
const WRITE: Request = { method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } };

function text(body: string, status = 200, headers: Response["headers"] = {}): Response {
  return { status, headers, body };
}

function page(title: string, status = 200): Response {
  return text(`<!DOCTYPE html><html><head><title>${title}</title></head></html>`, status, {
    "content-type": "text/html",
  });
}

/** Result of reading a response: its value, or the error with its kind. */
function read(response: Response, request: Request = READ): unknown {
  try {
    return readResponse(response, request);
  } catch (error) {
    if (error instanceof BtError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** Responses by the codes of the faults, and some without one. */
const RESPONSES: Readonly<Record<string, Response>> = {
  "B1 JSON cut inside a string": text('{"bugs":[{"summary":"cra'),
  "B2 noise": text("\u0001\u0002\ufffd\u0007"),
  "B3 a login page": page("Log in to\n Example Co"),
  "B3 a page without a title": text("<html><body>hello</body></html>"),
  "B5 an error with a good status": jsonResponse({
    error: true,
    code: 102,
    message: "You are not authorized to access bug #7.",
  }),
  "B6 an error without words": jsonResponse({ error: true, message: null }),
  "B7 a bad key": jsonResponse({ error: true, code: 306, message: "The API key you specified is invalid." }, 400),
  "B8 an unknown bug": jsonResponse({ error: true, code: 101, message: "Bug #7 does not exist." }, 404),
  "B9 a login page with 401": page("Sign in", 401),
  "B10 nothing": text(""),
  "B10 null": jsonResponse(null),
  "B10 a number": text("7"),
  "B14 a number beyond 2^53": text('{"id":9007199254740993}'),
  "B15 nested 200,000 deep": text("[".repeat(200_000) + "]".repeat(200_000)),
  "A15 come back tomorrow": text("", 429, { "retry-after": "86400" }),
  "A16 broken, with words": text("Internal  Server\nError", 500),
  "the wrong address": page("404 Not Found", 404),
  "a request that is too long": page("414 Request-URI Too Long", 414),
  "closed for maintenance": page("Bugzilla is Down", 503),
  "a redirect that nobody followed": text("", 302, { location: "https://evil.test" }),
  "a fault inside": jsonResponse({
    error: true,
    code: 100500,
    message: "Not a HASH reference at X\n at Y line 1\n at Z",
  }),
  "a full disk": jsonResponse({ error: true, code: 32000, message: "There is no room left." }, 503),
  "a path that a server lacks": jsonResponse({ error: true, code: 32000, message: "Nothing is here." }, 404),
  "a gateway that answers in JSON": jsonResponse({ error: "Bad Gateway", message: "upstream died", code: 502 }, 502),
  "a gateway that lost patience": text("", 504, { "retry-after": "5" }),
  "a request that took too long": text("", 408),
  "a gateway that refuses": jsonResponse({ error: true, message: "no such route", code: "E_ROUTE" }, 404),
  "a code of its own": jsonResponse({ error: true, code: 98765, message: "The moon is full." }, 400),
};

test("an unsuccessful response is an error of its kind", () => {
  const lines = Object.entries(RESPONSES).map(([name, response]) => `${name}\n  ${read(response)}`);
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "B1 JSON cut inside a string
      reply: the tracker's response is not valid JSON
    B2 noise
      reply: the tracker's response is not valid JSON
    B3 a login page
      reply: the tracker's response is a web page with the title "Log in to Example Co": a login portal, or a wrong address
    B3 a page without a title
      reply: the tracker's response is a web page: a login portal, or a wrong address
    B5 an error with a good status
      auth: You are not authorized to access bug #7.
    B6 an error without words
      refused: the tracker returned an error without a message
    B7 a bad key
      auth: The API key you specified is invalid.
    B8 an unknown bug
      missing: Bug #7 does not exist.
    B9 a login page with 401
      auth: the tracker denied access (401: Sign in)
    B10 nothing
      reply: the tracker's response is empty
    B10 null
      reply: the tracker's response is neither a JSON object nor a list
    B10 a number
      reply: the tracker's response is neither a JSON object nor a list
    B14 a number beyond 2^53
      reply: the tracker's response contains a number that is too large to represent exactly
    B15 nested 200,000 deep
      reply: the tracker's response is nested deeper than 100 levels
    A15 come back tomorrow
      busy: the tracker's rate limit is exceeded (429); retry after 24 h
    A16 broken, with words
      busy: the tracker is overloaded or broken (500: Internal Server Error)
    the wrong address
      reply: no REST interface of Bugzilla 5.0 or newer at this address (404: 404 Not Found)
    a request that is too long
      refused: the request URL is too long for the tracker (414: 414 Request-URI Too Long)
    closed for maintenance
      busy: the tracker is overloaded or broken (503: Bugzilla is Down)
    a redirect that nobody followed
      guard: the tracker redirected the request; the redirect was not followed (302)
    a fault inside
      busy: internal error of the tracker: Not a HASH reference at X
    a full disk
      busy: There is no room left.
    a path that a server lacks
      missing: Nothing is here.
    a gateway that answers in JSON
      busy: the tracker is overloaded or broken (502: upstream died)
    a gateway that lost patience
      busy: the tracker is overloaded or broken (504); retry after 5 s
    a request that took too long
      busy: the tracker is overloaded or broken (408)
    a gateway that refuses
      reply: no REST interface of Bugzilla 5.0 or newer at this address (404: no such route)
    a code of its own
      refused: The moon is full."
  `);
});

test.each(['{"hours":[1,-9007199254740992]}', '[{"bugs":[{"cf_load":-1e400}]}]', '{"id":12345678901234567890}'])(
  "B14 %s has an inexact number",
  (body) => expect(read(text(body))).toContain("contains a number that is too large"),
);

test("B14 exact numbers and digits in texts are read", () => {
  const body = '{"id":9007199254740991,"alias":"90071992547409931","summary":": 90071992547409931e400"}';
  expect(read(text(body))).toEqual(JSON.parse(body));
});

test("an ambiguous response to a write has an unknown outcome", () => {
  const kinds = Object.entries(RESPONSES).map(
    ([name, response]) => `${String(read(response, WRITE)).split(":")[0]} - ${name}`,
  );
  expect(kinds.sort().join("\n")).toMatchInlineSnapshot(`
    "auth - B5 an error with a good status
    auth - B7 a bad key
    busy - A15 come back tomorrow
    missing - B8 an unknown bug
    missing - a path that a server lacks
    refused - a code of its own
    refused - a request that is too long
    unknown - A16 broken, with words
    unknown - B1 JSON cut inside a string
    unknown - B10 a number
    unknown - B10 nothing
    unknown - B10 null
    unknown - B14 a number beyond 2^53
    unknown - B15 nested 200,000 deep
    unknown - B2 noise
    unknown - B3 a login page
    unknown - B3 a page without a title
    unknown - B6 an error without words
    unknown - B9 a login page with 401
    unknown - a fault inside
    unknown - a full disk
    unknown - a gateway that answers in JSON
    unknown - a gateway that lost patience
    unknown - a gateway that refuses
    unknown - a redirect that nobody followed
    unknown - a request that took too long
    unknown - closed for maintenance
    unknown - the wrong address"
  `);
  expect(read(page("Bugzilla is Down", 503), WRITE)).toMatch(/^unknown: /);
  expect(read(text("", 503, { "retry-after": "5" }), WRITE)).toMatch(/^unknown: /);
  expect(read(page("502 Bad Gateway", 502), WRITE)).toMatch(/^unknown: /);
});

test.each([
  400, 401, 403, 404, 405, 406, 407, 409, 410, 411, 412, 415, 417, 421, 422, 426, 431, 451, 500, 502, 503, 504,
])("a write has an unknown outcome after a %i that is not the tracker's error", (status) => {
  const foreign = jsonResponse({ error: "Forbidden", message: "blocked" }, status);
  for (const response of [page("Blocked", status), text("", status), text("blocked", status), foreign]) {
    expect(read(response, WRITE)).toMatch(/^unknown: /);
  }
  const own = read(jsonResponse({ error: true, code: 53, message: "No." }, status), WRITE);
  expect(String(own).startsWith("unknown: ")).toBe(status >= 500);
});

test.each<[what: string, most: number, respond: (words: string) => Response]>([
  ["an error", 500, (message) => jsonResponse({ error: true, code: 53, message }, 400)],
  ["another error", 200, (words) => text(words, 400)],
  ["a page", 80, (title) => page(title, 400)],
])("the long text of %s is cut before a word, which may be a key", (_, most, respond) => {
  const key = "k3y".repeat(14);
  for (const start of [most - key.length, most - 20, most - 1]) {
    const words = `${"a ".repeat(start / 2)}${" ".repeat(start % 2)}${key} and more`;
    for (const sent of [words, words.replaceAll("a ", "a      ")])
      expect(String(read(respond(sent))).replace(` ${key}`, "")).toMatch(/a(?: and)?\.\.\.\)?$/);
  }
});

test("an error in JSON of another form is the tracker's own where it is known to have its own", () => {
  const forbidden = jsonResponse({ message: "no", reason: "rule 7" }, 403);
  expect(read(forbidden, WRITE)).toMatch(/^unknown: /);
  expect(() => readResponse(forbidden, WRITE, true)).toThrow(expect.objectContaining({ kind: "auth" }));
});

describe("a success is returned as received", () => {
  test("responses to HEAD have no data", () => {
    expect(read(text("", 200), { ...READ, method: "HEAD" })).toBeNull();
    expect(read(text("", 502), { ...READ, method: "HEAD" })).toMatch(/^busy: /);
  });
});

test("B8 a missing value is refused, a missing object is missing", () => {
  const response = jsonResponse({ error: true, code: 51, message: "There is no Priority named 'P9'." }, 404);
  expect(read(response, SEARCH)).toBe("refused: There is no Priority named 'P9'.");
  expect(read(response, { ...WRITE, method: "PUT" })).toBe("refused: There is no Priority named 'P9'.");
  expect(read(response, { ...READ, path: "/rest/field/bug/nope" })).toBe("missing: There is no Priority named 'P9'.");
});

test.each([
  [102, "auth", "You are not authorized to access bug #7."],
  [106, "auth", "Sorry, either the product X does not exist or you aren't authorized to enter a bug into it."],
  [109, "auth", "You are not authorized to edit this bug."],
  [113, "auth", "You are not allowed to make comments private."],
  [115, "auth", "You tried to change the Priority field, but only the assignee may change that field."],
  [120, "refused", "You tried to restrict bug 7 to the 'x' group, but you are not allowed to."],
  [504, "usage", "The name nobody@x.org is not a valid username. Either you misspelled it, or …"],
  [504, "refused", "The following user(s) are not able to access the X product: mei@x.org"],
  [51, "usage", "There is no user named 'nobody@x.org'. Either you mis-typed the name or …"],
  [51, "refused", "There is no flagtype named 'nope'."],
  [101, "missing", "Bug #7 does not exist."],
] as const)("code %i of a write is of kind %s: %s", (code, kind, message) => {
  const response = jsonResponse({ error: true, code, message }, code === 51 ? 404 : 401);
  for (const method of ["POST", "PUT"] as const)
    expect(read(response, { ...WRITE, method })).toBe(`${kind}: ${message}`);
});
