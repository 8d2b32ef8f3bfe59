import { describe, expect, test } from "vitest";
import { bugCard } from "../../src/view/bug-card.ts";
import { changesText } from "../../src/view/changes.ts";
import { MID_TONES, palette } from "../../src/view/palette.ts";
import { cut } from "../../src/view/wrap.ts";
import { BUGS, viewOf } from "./samples.ts";

describe("the colours", () => {
  test.each(Object.entries(MID_TONES))("%s has a contrast of 3.8 on black and on white", (_name, tone) => {
    const light = luminance(tone);
    expect(1.05 / (light + 0.05)).toBeGreaterThan(3.8);
    expect((light + 0.05) / 0.05).toBeGreaterThan(3.8);
  });

  test("have neither yellow nor dim text", () => {
    const painted = Object.values(palette({ color: true })).map((paint) => paint("x"));
    expect(painted.filter((text) => /\[(?:33|93|2)m/.test(text))).toEqual([]);
    expect(new Set(painted).size).toBeGreaterThan(5);
  });
});

test("a terminal without UTF-8 gets ASCII signs", () => {
  const view = viewOf({ isAscii: true, width: 40 });
  const changes = { priority: { removed: "High", added: "Low" } };
  const texts = [
    ...BUGS.map((bug) => bugCard({ bug }, view)),
    changesText({ changed: [{ name: "#1", changes }] }, view),
  ];
  expect(texts.join("").match(/[·→…─›┃]/g)).toBeNull();
  expect(texts.at(-1)).toContain("High -> Low");
});

test("an ASCII ellipsis fits the width as well", () => {
  expect(["abcdefgh", "äöüäöüäö"].map((text) => cut(text, 6, { isAscii: true }))).toEqual(["abc...", "äöü..."]);
  expect([0, 1, 2, 3, 8].map((columns) => cut("abcdefgh", columns, { isAscii: true }))).toEqual([
    "",
    ".",
    "..",
    "...",
    "abcdefgh",
  ]);
});

/** Relative luminance of a colour of the 256. @see https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
function luminance(tone: number): number {
  const [red = 0, green = 0, blue = 0] = channels(tone).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(tone: number): readonly number[] {
  const cube = [0, 95, 135, 175, 215, 255];
  if (tone >= 232) return [0, 0, 0].map(() => 8 + 10 * (tone - 232));
  return [36, 6, 1].map((step) => cube[Math.floor((tone - 16) / step) % 6] ?? 0);
}
