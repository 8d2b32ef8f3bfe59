import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { file, talk } from "../talk.ts";

const here = talk();
const ids: number[] = [0]; // of the bugs 1 to 8
beforeAll(async () => {
  while (ids.length <= 8) ids.push(await file(here, "alice"));
});

type Edge = readonly [bug: number, dependsOn: number];

// Straightforward: put the new ties in the place of the old ones and look for a way from the bug back to it.
function hasLoop(edges: readonly Edge[], dependsOn: readonly number[], blocks: readonly number[]): boolean {
  const all = [...edges, ...blocks.map((id): Edge => [id, 1])];
  const reached = new Set<number>(dependsOn);
  for (const id of reached) for (const [bug, other] of all) if (bug === id) reached.add(other);
  return reached.has(1);
}

test("a dependency is rejected if and only if it closes a loop", async () => {
  const id = fc.integer({ min: 2, max: 6 });
  const few = fc.uniqueArray(id, { maxLength: 2 });
  // a stored tree has no loops: bugs wait for lower numbers only, but for bug 1, whose ties are replaced
  const edge = fc.tuple(id, id).filter(([bug, other]) => bug > other);
  const property = fc.asyncProperty(fc.array(edge, { maxLength: 8 }), few, few, async (edges, dependsOn, blocks) => {
    here.store.run("DELETE FROM bug_dependencies");
    for (const tie of edges.map((pair) => pair.map((bug) => ids[bug] ?? 0)))
      here.store.run("INSERT OR IGNORE INTO bug_dependencies (bug_id, depends_on_id) VALUES (?, ?)", tie);
    const set = (list: readonly number[]) => ({ set: list.map((bug) => ids[bug] ?? 0) });
    const { body } = await here.put("alice", `/rest/bug/${ids[1]}`, {
      depends_on: set(dependsOn),
      blocks: set(blocks),
    });
    expect((body as { code?: number }).code).toBe(hasLoop(edges, dependsOn, blocks) ? 116 : undefined);
  });
  await fc.assert(property);
});

test.each<[string, number, number, string]>([
  ["a bug may become a duplicate of a duplicate", 1, 2, "undefined: undefined"],
  ["not of itself", 1, 1, "118: You cannot mark bug N as a duplicate of itself."],
  [
    "not of one that is its own duplicate",
    4,
    2,
    "118: You cannot mark bug N as a duplicate of bug N, because it would create a duplicate loop.",
  ],
  ["an existing loop is not followed forever", 5, 7, "undefined: undefined"],
])("%s", async (...[_fact, bug, original, expected]) => {
  here.store.run("DELETE FROM bug_duplicates");
  for (const tie of [
    [2, 3],
    [3, 4],
    [7, 8],
    [8, 7],
  ])
    here.store.run(
      "INSERT INTO bug_duplicates (bug_id, dupe_of) VALUES (?, ?)",
      tie.map((id) => ids[id] ?? 0),
    );
  const { body } = await here.put("alice", `/rest/bug/${ids[bug]}`, { dupe_of: ids[original] ?? 0 });
  const { code, message } = body as { code?: number; message?: string };
  expect(`${code}: ${message?.replace(/\d+/g, "N")}`).toBe(expected);
});
