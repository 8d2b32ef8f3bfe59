import { expect, test } from "vitest";
import { bt } from "../bt.ts";
import { EXPRESSIONS } from "./thirty-expressions.ts";
import { exchange, known, ME, NOW } from "./thirty-world.ts";

test.each(EXPRESSIONS)("%s", async (expression, means) => {
  const line = `bug search --where '${expression.replaceAll("'", "")}' --sort id --format ids`;
  const { out, err, code } = await bt(line, { exchange, login: ME, now: NOW.toISOString() });
  const found = out
    .split("\n")
    .filter((id) => id !== "")
    .map(Number);
  const expected = known.filter(means).map(({ bug }) => bug.id);
  expect({ err, code, found }).toEqual({ err: "", code: 0, found: expected });
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(known.length);
});
