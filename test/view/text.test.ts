import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeJson, plain } from "../../src/view/text.ts";
import { growth, LINEAR } from "../cpu-time.ts";

const CASES: readonly (readonly [what: string, given: string, line: string, body: string])[] = [
  ["ordinary text", "Crash in Tab bar", "Crash in Tab bar", "Crash in Tab bar"],
  ["text of other scripts", "Fenêtre 画面 окно ", "Fenêtre 画面 окно ", "Fenêtre 画面 окно "],
  ["line breaks and tabs", "a\r\nb\n\tc\rd", "a b c d", "a\nb\n\tc\nd"],
  ["an escape sequence", "\u001b[2Jgone", "\\x1b[2Jgone", "\\x1b[2Jgone"],
  ["a window title", "\u001b]0;owned\u0007", "\\x1b]0;owned\\x07", "\\x1b]0;owned\\x07"],
  ["a clipboard write", "\u001b]52;c;ZXZpbA==\u001b\\", "\\x1b]52;c;ZXZpbA==\\x1b\\", "\\x1b]52;c;ZXZpbA==\\x1b\\"],
  ["one-byte control sequences", "\u009b31mred\u009d0;t\u009c", "\\x9b31mred\\x9d0;t\\x9c", "\\x9b31mred\\x9d0;t\\x9c"],
  ["NUL, backspace and delete", "a\0b\bc\u007f", "a\\x00b\\x08c\\x7f", "a\\x00b\\x08c\\x7f"],
  ["turned reading direction", "\u202eevil\u2066x\u200f", "\\u202eevil\\u2066x\\u200f", "\\u202eevil\\u2066x\\u200f"],
  [
    "hidden characters",
    "pass\u200bword\u2060\ufeff\u00ad",
    "pass\\u200bword\\u2060\\ufeff\\xad",
    "pass\\u200bword\\u2060\\ufeff\\xad",
  ],
  ["invisible letters", "\u3164\u115f\u034f", "\\u3164\\u115f\\u034f", "\\u3164\\u115f\\u034f"],
  ["letters smuggled as tags", "x\u{e0041}\u{e0042}", "x\\u{e0041}\\u{e0042}", "x\\u{e0041}\\u{e0042}"],
  ["data smuggled in selectors", "x\u{e0101}\u{e0102}", "x\u{e0101}\\u{e0102}", "x\u{e0101}\\u{e0102}"],
  ["a broken surrogate", "\ud83dx\ude00", "\ufffdx\ufffd", "\ufffdx\ufffd"],
  ["line separators", "a\u2028b\u2029", "a\\u2028b\\u2029", "a\\u2028b\\u2029"],
  ["emoji with joiners", "👩‍❤️‍👨 🏳️‍🌈 1️⃣ 👍🏽", "👩‍❤️‍👨 🏳️‍🌈 1️⃣ 👍🏽", "👩‍❤️‍👨 🏳️‍🌈 1️⃣ 👍🏽"],
  ["a flag made of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 goal", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 goal", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 goal"],
  ["a Persian word with a joiner", "می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"],
  ["piled joiners", "a\u200d\u200d\u200db", "a\u200d\\u200d\\u200db", "a\u200d\\u200d\\u200db"],
  ["a joiner before anything visible", "\u200dx \u200dy", "\\u200dx \\u200dy", "\\u200dx \\u200dy"],
  ["piled marks", `a${"\u0301".repeat(40)}`, `a${"\u0301".repeat(8)}\ufffd`, `a${"\u0301".repeat(8)}\ufffd`],
];

describe("plain", () => {
  test.each(CASES)("%s", (...[, given, line, body]) => {
    expect([plain(given), plain(given, "lines")]).toEqual([line, body]);
  });

  const hostile = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(..."\u001b\u009b\r\n\t\b\u202e\u200d\ufe0f\ud800\u{e0041}"),
    ),
  });

  test("one line has no control characters, bidi controls or lone surrogates", () => {
    fc.assert(
      fc.property(
        hostile,
        (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(plain(text)),
      ),
    );
  });

  test("a body keeps newlines and tabs, but no other control characters", () => {
    fc.assert(fc.property(hostile, (text) => !/(?![\n\t])[\p{Cc}\p{Cs}]/u.test(plain(text, "lines"))));
  });

  test.each(["\u001b", "\u200d", "\u0301", "\r", "\ud800", "a\u200d", "🏴\u{e0067}"])(
    "time is linear in the length: %j",
    (unit) => {
      expect(growth((size) => plain(unit.repeat(size)), 5000)).toBeLessThan(LINEAR);
    },
  );
});

test("long texts are cleaned like short ones, wherever they are split", () => {
  const parts = ["x".repeat(65_535), "\u{1f600}", "\u202e", "y".repeat(70_000), "\u{e0041}"];
  expect(JSON.parse(escapeJson(JSON.stringify(parts.join(""))))).toBe(parts.join(""));
  expect(escapeJson(JSON.stringify(parts.join("")))).toContain("\u{1f600}\\u202eyyy");
});
