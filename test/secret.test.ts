import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { redactor, secret } from "../src/secret.ts";

const KEY = 'AbC1/+ %"ü&9xyz0123456789';

test("a secret shows itself to nobody who does not ask", () => {
  const key = secret(KEY);
  expect(`${key} ${JSON.stringify({ key })} ${inspect({ key })} ${inspect(key, { depth: 9, showHidden: true })}`).toBe(
    '*** {"key":"***"} { key: *** } ***',
  );
  expect(key.reveal()).toBe(KEY);
});

describe("a learnt secret is hidden", () => {
  const encodings: Readonly<Record<string, string>> = {
    "as it is": KEY,
    "percent-encoded": encodeURIComponent(KEY),
    "percent-encoded in small letters": encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase()),
    "wholly percent-encoded": [...Buffer.from(KEY)].map((byte) => `%${byte.toString(16)}`).join(""),
    "as a form": new URLSearchParams({ k: KEY }).toString().slice(2),
    "in JSON": JSON.stringify(KEY).slice(1, -1),
    "in JSON with escapes": [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    "in HTML": KEY.replace("&", "&amp;").replace('"', "&quot;").replace("ü", "&#252;"),
    "in JSON within JSON": JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
    "percent-encoded twice": encodeURIComponent(encodeURIComponent(KEY)),
    "in HTML within HTML": KEY.replace("&", "&amp;amp;").replace('"', "&amp;#34;"),
    "in hex": Buffer.from(KEY).toString("hex").toUpperCase(),
    "in base64": Buffer.from(KEY).toString("base64"),
    "in base64 behind a login": Buffer.from(`me:${KEY}`).toString("base64"),
    "in base64url behind two letters": Buffer.from(`xy${KEY}`).toString("base64url"),
  };
  test.each(Object.entries(encodings))("%s", (_, text) => {
    const { learn, redact } = redactor();
    learn(KEY);
    const shown = redact(`before ${text} after`);
    expect(shown).toMatch(/^before .{0,6}\*\*\*.{0,6} after$/);
  });
});

describe("of a learnt secret that was cut off nothing is left", () => {
  const { learn, redact } = redactor();
  learn(KEY);
  learn("k".repeat(10_000));
  const spellings: Readonly<Record<string, string>> = {
    "as it is": KEY,
    "percent-encoded": encodeURIComponent(KEY),
    "in JSON": JSON.stringify(KEY).slice(1, -1),
    "in hex": Buffer.from(KEY).toString("hex"),
    "in base64": Buffer.from(KEY).toString("base64"),
    "of 10 kB": "k".repeat(9000),
  };
  test.each(Object.entries(spellings))("%s", (_, text) => {
    for (const length of [18, 21, 24].filter((at) => at < text.length)) {
      expect(redact(`before ${text.slice(0, length)}...`)).toMatch(/^before \*\*\*.{0,5}\.\.\.$/);
    }
  });
});

test("a secret with quotes is hidden where its name is told too", () => {
  const { learn, redact } = redactor();
  learn(`quo'te"d<key>0123`);
  expect(redact(`?api_key=quo'te"d<key>0123&id=1`)).toBe("?api_key=***&id=1");
});

test("what has the name of a secret is hidden without being learnt", () => {
  const { redact } = redactor();
  expect(redact("GET /rest/bug?Bugzilla_api_key=abc&id=1&token=1-x&password=p%20q HTTP/1.1")).toBe(
    "GET /rest/bug?Bugzilla_api_key=***&id=1&token=***&password=*** HTTP/1.1",
  );
  expect(redact('{"Bugzilla_api_key":"a\\"b","id":1}')).toBe('{"Bugzilla_api_key":"***","id":1}');
  expect(redact("x-bugzilla-api-key: abc\nAuthorization: Bearer abc")).toBe(
    "x-bugzilla-api-key: ***\nAuthorization: Bearer ***",
  );
});

test("other text stays, and a secret too short to hide is not learnt", () => {
  const { learn, redact } = redactor();
  learn("a");
  expect(redact("a wrong password: try again")).toBe("a wrong password: try again");
});
