import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plain } from "../../src/view/text.ts";
import { cut, graphemes, pad, width } from "../../src/view/wrap.ts";

const WIDTHS: readonly (readonly [text: string, columns: number])[] = [
  ["", 0],
  ["plain", 5],
  ["Fenêtre", 7],
  ["Fene\u0302tre", 7],
  ["画面", 4],
  ["한글", 4],
  ["\u1112\u1161\u11ab", 2],
  ["ｆｕｌｌ", 8],
  ["😀", 2],
  ["👍🏽", 2],
  ["👩‍❤️‍👨", 2],
  ["❤️", 2],
  ["☃", 1],
  ["1️⃣", 2],
  ["🇩🇪🇫🇷", 4],
  ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2],
  ["ก็", 1],
  ["שָׁלוֹם", 4],
  ["…→·", 3],
];

const mixed = fc.string({
  unit: fc.constantFrom(..."ab 漢ｆ", "😀", "e\u0301", "👩‍❤️‍👨", "🇩🇪", "ก็", "❤️", "한", "\u1112\u1161"),
});
const anything = fc.string({ unit: "grapheme" }).map((text) => plain(text));

test.each(WIDTHS)("%j takes %i columns", (text, columns) => {
  expect(width(text)).toBe(columns);
});

describe("cut", () => {
  test.each([
    ["fits", 4, "fits"],
    ["does not", 5, "does…"],
    ["画面が", 5, "画面…"],
    ["画面が", 4, "画…"],
    ["a👩‍❤️‍👨b", 3, "a…"],
    ["a👩‍❤️‍👨", 3, "a👩‍❤️‍👨"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["anything", 1, "…"],
    ["anything", 0, ""],
  ])("%j to %i columns is %j", (text, columns, expected) => {
    expect(cut(text, columns, {})).toBe(expected);
  });

  test("never exceeds the columns, and keeps whole characters from the start", () => {
    fc.assert(
      fc.property(fc.oneof(mixed, anything), fc.integer({ min: 1, max: 12 }), (text, columns) => {
        const short = cut(text, columns, {});
        if (short === text) return width(text) <= columns;
        const kept = [...graphemes(short)].slice(0, -1);
        expect(kept).toEqual([...graphemes(text)].slice(0, kept.length));
        return width(short) <= columns && short.endsWith("…") && width(text) > columns;
      }),
    );
  });
});

test("the fast path for graphemes agrees with the segmenter", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  fc.assert(
    fc.property(fc.oneof(mixed, anything), (text) => {
      expect([...graphemes(text)]).toEqual([...segmenter.segment(text)].map(({ segment }) => segment));
    }),
  );
});

test("padding fills up to the column, on either side", () => {
  expect([pad("画", 4), pad("longer", 3)]).toEqual(["画  ", "longer"]);
});
