import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { asSecret, createRedactor } from "../src/secret.ts";

const KEY = 'AbC1/+ %"ü&9xyz0123456789';

test("a secret is not printed", () => {
  const key = asSecret(KEY);
  const printed = `${key} ${JSON.stringify({ key })} ${inspect({ key })} ${inspect(key, { depth: 9, showHidden: true })}`;
  expect(printed).not.toContain("9xyz");
  expect(key.reveal()).toBe(KEY);
});

test.each([KEY, encodeURIComponent(KEY), JSON.stringify(KEY).slice(1, -1), Buffer.from(KEY).toString("base64")])(
  "a registered secret is redacted as %s",
  (spelling) => {
    const { learn, redact, hide } = createRedactor();
    learn(KEY);
    for (const shown of [redact, hide])
      expect(shown(`before ${spelling} after`)).toMatch(/^before \*\*\*={0,2} after$/);
  },
);

describe("of two secrets of which one is the beginning of the other, the longer is redacted whole,", () => {
  const [short, long] = ["9f3a77c2", "9f3a77c2-and-a-tail-of-its-own"];

  test.each([
    ["whichever was learned first", [short, long], `key ${long}, key ${short}.`, "key ***, key ***."],
    ["whichever was learned last", [long, short], `key ${long}, key ${short}.`, "key ***, key ***."],
  ])("%s", (_, values, text, redacted) => {
    const { learn, redact, hide } = createRedactor();
    for (const value of values) learn(value);
    expect([redact(text), hide(text)]).toEqual([redacted, redacted]);
  });
});

test("a quoted secret is redacted where its name is given, too", () => {
  const { learn, redact } = createRedactor();
  learn(`quo'te"d<key>0123`);
  expect(redact(`?api_key=quo'te"d<key>0123&id=1`)).toBe("?api_key=***&id=1");
});

test("a value named like a secret is redacted without registration", () => {
  const { redact } = createRedactor();
  expect(redact("GET /rest/bug?Bugzilla_api_key=abc&id=1&token=1-x&password=p%20q HTTP/1.1")).toBe(
    "GET /rest/bug?Bugzilla_api_key=***&id=1&token=***&password=*** HTTP/1.1",
  );
  expect(redact('{"Bugzilla_api_key":"a\\"b","id":1}')).toBe('{"Bugzilla_api_key":"***","id":1}');
  expect(redact("x-bugzilla-api-key: abc\nAuthorization: Bearer abc")).toBe(
    "x-bugzilla-api-key: ***\nAuthorization: Bearer ***",
  );
});

test("other text is unchanged, and so is a secret too short to redact", () => {
  const { learn, redact } = createRedactor();
  learn("a");
  expect(redact("a wrong password: try again")).toBe("a wrong password: try again");
});
