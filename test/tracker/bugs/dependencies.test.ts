import fc from "fast-check";
import { expect, test } from "vitest";
import { refuseDependencyLoop } from "../../../src/tracker/bugs/dependencies.ts";
import { refuseDuplicateLoop } from "../../../src/tracker/bugs/status.ts";
import { outcome } from "../refusal.ts";

type Edge = readonly [bug: number, dependsOn: number];

function stepsOf(edges: readonly Edge[]) {
  return {
    dependsOnOf: (id: number) => edges.filter(([bug]) => bug === id).map(([, other]) => other),
    blocksOf: (id: number) => edges.filter(([, other]) => other === id).map(([bug]) => bug),
  };
}

function refusal(edges: readonly Edge[], dependsOn: readonly number[], blocks: readonly number[]) {
  return outcome(() => refuseDependencyLoop({ bugId: 1, dependsOn, blocks, ...stepsOf(edges) }));
}

// Straightforward: put the new ties in the place of the old ones and look for a way from the bug back to it.
function hasLoop(edges: readonly Edge[], dependsOn: readonly number[], blocks: readonly number[]): boolean {
  const all: Edge[] = [
    ...edges.filter(([bug, other]) => bug !== 1 && other !== 1),
    ...dependsOn.map((id): Edge => [1, id]),
    ...blocks.map((id): Edge => [id, 1]),
  ];
  const reached = new Set<number>(dependsOn);
  for (const id of reached) {
    for (const next of stepsOf(all).dependsOnOf(id)) {
      reached.add(next);
    }
  }
  return reached.has(1);
}

test("a dependency is rejected if and only if it closes a loop", () => {
  const id = fc.integer({ min: 2, max: 6 });
  const few = fc.uniqueArray(id, { maxLength: 2 });
  // A stored tree has no loops: bugs wait for lower numbers only, but for bug 1, whose ties are replaced.
  const edge = fc.tuple(id, id).filter(([bug, other]) => bug > other);
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 8 }), few, few, (edges, dependsOn, blocks) => {
      expect(refusal(edges, dependsOn, blocks) === "nothing").toBe(!hasLoop(edges, dependsOn, blocks));
    }),
  );
});

const CHAIN: Readonly<Record<number, number>> = { 2: 3, 3: 4, 7: 8, 8: 7 };

test.each([
  ["a bug may become a duplicate of a duplicate", 1, 2, "nothing"],
  ["not of itself", 1, 1, "400/118: You cannot mark bug 1 as a duplicate of itself."],
  [
    "not of one that is its own duplicate",
    4,
    2,
    "400/118: You cannot mark bug 4 as a duplicate of bug 2, because it would create a duplicate loop.",
  ],
  ["an existing loop is not followed forever", 1, 7, "nothing"],
])("%s", (...[_fact, bugId, originalId, expected]) => {
  expect(outcome(() => refuseDuplicateLoop({ bugId, originalId, originalOf: (id) => CHAIN[id] ?? null }))).toBe(
    expected,
  );
});
