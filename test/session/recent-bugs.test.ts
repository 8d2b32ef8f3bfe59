import { expect, test } from "vitest";
import { readRecentBugs, rememberingBugs } from "../../src/session/memory.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { JsonObject } from "../../src/wire/exchange.ts";

/** What is remembered of the bugs after each list. */
async function remembered(...lists: readonly (readonly Partial<Bug>[])[]) {
  let kept: JsonObject | undefined;
  const memory = {
    read: async () => kept,
    write: async (_: string, facts: JsonObject) => {
      kept = facts;
    },
  };
  const pages = async function* (bugs: readonly Partial<Bug>[]) {
    yield bugs as Bug[];
  };
  for (const bugs of lists) for await (const _ of rememberingBugs(pages(bugs), memory));
  return { bugs: await readRecentBugs(memory), text: JSON.stringify(kept) };
}

test("a bug of a group is remembered without its summary, as is one whose groups were not requested", async () => {
  const { bugs, text } = await remembered([
    { id: 1, summary: "public", groups: [] },
    { id: 2, summary: "secret", groups: ["core-security"] },
    { id: 3, summary: "unknown" },
  ]);
  expect(bugs).toEqual([{ id: 1, summary: "public" }, { id: 2 }, { id: 3 }]);
  expect(text).not.toMatch(/secret|unknown/);
});

test("the last 50 bugs are remembered, those of the last list first, each as it was shown last", async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, summary: "old", groups: [] }));
  const { bugs } = await remembered(many, [{ id: 99 }, { id: 2 }], []);
  expect([bugs.length, bugs.slice(0, 3)]).toEqual([50, [{ id: 99 }, { id: 2 }, { id: 1, summary: "old" }]]);
});
