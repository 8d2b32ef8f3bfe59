import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("--membership prints a line for each member, whatever the format", async () => {
  const bt = demo();
  const [first = ""] = (await bt("group get staff --membership")).out.split("\n");
  expect(first).toBe("staff\t1\tada@example.org\tAda Brandt\tada@example.org\ttrue\ttrue\t");
  const table = (await bt("group get staff --membership", { terminal: true })).out;
  expect(table).toContain("mei@example.org");
  expect(table).toContain("LOGIN");
});
