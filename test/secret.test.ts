import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { asSecret, createRedactor } from "../src/secret.ts";
import { escapeJson, plain } from "../src/view/text.ts";
import { growth, LINEAR } from "./cpu-time.ts";

const KEY = 'AbC1/+ %"ü&9xyz0123456789';

test("a secret is redacted when it is printed", () => {
  const key = asSecret(KEY);
  expect(`${key} ${JSON.stringify({ key })} ${inspect({ key })} ${inspect(key, { depth: 9, showHidden: true })}`).toBe(
    '*** {"key":"***"} { key: *** } ***',
  );
  expect(key.reveal()).toBe(KEY);
});

describe("a registered secret is redacted", () => {
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
    const { learn, redact } = createRedactor();
    learn(KEY);
    const shown = redact(`before ${text} after`);
    expect(shown).toMatch(/^before .{0,6}\*\*\*.{0,6} after$/);
  });
});

describe("a registered secret is redacted even with invisible characters in it:", () => {
  const between: Readonly<Record<string, string>> = {
    "a zero-width space": "\u200b",
    "a joiner and a soft hyphen": "\u200d\u00ad",
    "a byte order mark": "\ufeff",
    "a turn of the reading direction": "\u202e",
    "a letter that fills": "\u115f",
    "a tag": "\u{e0041}",
    "a selector": "\ufe0f",
    "a mark above": "\u0301",
    "a control character": "\u0001",
    "a colour": "\u001b[1;31m",
    "a colour in one byte": "\u009b31m",
    "a link": "\u001b]8;;http://example.org/\u001b\\",
    "a title": "\u001b]0;title\u0007",
    "another character set": "\u001b(B",
    "a state kept": "\u001b7",
    "many of them": "\u200b".repeat(60),
    "an entity": "&#8203;",
    "a named entity": "&ZeroWidthSpace;",
  };
  const writings: Readonly<Record<string, (text: string) => string>> = {
    "as it is": (text) => text,
    "as it is shown": (text) => plain(text),
    "in JSON": (text) => escapeJson(JSON.stringify(text)).slice(1, -1),
    "in JSON of ASCII alone": (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^ -~]/g, escapedUnit),
  };
  function escapedUnit(unit: string) {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  }
  test.each(Object.entries(between))("%s", (_, unseen) => {
    const { learn, redact, hide } = createRedactor();
    learn(KEY);
    for (const write of Object.values(writings)) {
      const everywhere = write([...KEY].join(unseen));
      expect(redact(`before ${everywhere} after`)).toBe("before *** after");
      expect(hide(`before ${write(KEY.slice(0, 3) + unseen + KEY.slice(3))} after`)).toBe("before *** after");
    }
  });

  test("any that Unicode has, in a text of JSON", () => {
    const { learn, hide } = createRedactor();
    learn("0123456789abcdef");
    const isUnseen = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]$/u;
    const points = Array.from({ length: 0xe1000 }, (__, at) => at).filter((at) => at < 0xd800 || at % 8 === 1);
    const unseen = points.map((point) => String.fromCodePoint(point)).filter((one) => isUnseen.test(one));
    expect(unseen.length).toBeGreaterThan(1000);
    const lines = unseen.map((one) => `"01234567${one}89abcdef"`);
    expect(hide(lines.join(""))).toBe(lines.map(() => '"***"').join(""));
  });

  test("a control sequence of many characters, with quotes and line breaks in it, twice", () => {
    const { learn, hide } = createRedactor();
    learn("0123456789abcdef");
    const title = `\u001b]0;${'"a"\n'.repeat(99)}\u001b\\`;
    expect(hide(`{"a":"0123456789${title}${title}abcdef","b":"\u200b"}`)).toBe('{"a":"***","b":"\u200b"}');
  });

  test("but not with a visible line break", () => {
    const { learn, redact } = createRedactor();
    learn("1234");
    expect(redact("1\n2\n3\n4\n")).toBe("1\n2\n3\n4\n");
  });

  test("in linear time for hostile text", () => {
    const { learn, redact } = createRedactor();
    learn("kkkkkkkkkkkkkkkkkkkk");
    const texts = ["k\u200b", "k\u200bk\u0301", "\\u006b", "\\\\u200b", "k\u001b[", "k\u001b]", "k&#8203;"];
    const redactAll = (size: number) => {
      for (const text of texts) redact(`${text.repeat(5)}${"\u200b".repeat(1000)}`.repeat(size));
    };
    expect(growth(redactAll, 3)).toBeLessThan(LINEAR);
  });
});

describe("of a truncated secret nothing remains", () => {
  const { learn, redact } = createRedactor();
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

describe("of two secrets of which one is the beginning of the other, the longer is redacted whole,", () => {
  const [short, long] = ["9f3a77c2", "9f3a77c2-and-a-tail-of-its-own"];

  test.each([
    ["whichever was learned first", [short, long], `key ${long}, key ${short}.`, "key ***, key ***."],
    ["whichever was learned last", [long, short], `key ${long}, key ${short}.`, "key ***, key ***."],
    ["where it is cut", [short, long], `key ${long.slice(0, -3)}`, "key ***"],
    ["where they overlap", [short, `x-${short.slice(0, 4)}`, long], `x-${long}`, "***"],
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
