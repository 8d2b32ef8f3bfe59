import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/api/query/evaluate.ts";
import type { Query } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import type { Searches } from "../../../src/api/search/searches.ts";
import { findSimilar, rankSimilar, type Subject } from "../../../src/api/search/similar.ts";
import { BtError } from "../../../src/errors.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";

function subject(summary: string, more: Partial<Subject> = {}): Subject {
  return { summary, products: [], ...more };
}

/** Bugs from 1 on with these summaries, as many as a test names. */
function bugs(...summaries: readonly string[]): readonly [Bug, Bug, Bug, Bug] {
  const list: readonly Bug[] = summaries.map((summary, at) => ({ id: at + 1, summary }));
  return list as readonly [Bug, Bug, Bug, Bug];
}

function ranking(summary: string, candidates: readonly Bug[], more: Partial<Subject> = {}) {
  return rankSimilar(subject(summary, more), candidates).map(({ bug, words }) => [bug.id, words.join(" ")]);
}

describe("bugs are ranked by the words of their summaries", () => {
  test.each([
    {
      how: "rare words before common ones",
      summary: "crash in the crop dialogue",
      others: ["crash on start", "crash on exit", "crash on print", "the crop tool is slow"],
      best: [4, "crop"],
    },
    {
      how: "words in any form",
      summary: "importing photos fails",
      others: ["albums are empty", "photo import failed"],
      best: [2, "failed import photo"],
    },
    {
      how: "words in any letter case",
      summary: "IMPORT STOPS",
      others: ["import stops", "something else"],
      best: [1, "import stops"],
    },
    {
      how: "words in any script",
      summary: "Импорт фото падает",
      others: ["фото импорт", "другое"],
      best: [1, "импорт фото"],
    },
  ])("$how", ({ summary, others, best }) => {
    const [[id, words] = []] = ranking(summary, bugs(...others));
    expect([id, String(words).split(" ").sort().join(" ")]).toEqual(best);
  });

  test("of equal ones, the same component first, then the newest", () => {
    const [one, two, three] = bugs("import stops", "import stops", "import stops");
    const beside = { ...one, component: "Import" };
    expect(ranking("import stops", [three, two, beside], { component: "Import" }).map(([id]) => id)).toEqual([1, 3, 2]);
  });

  test("not by words of grammar, numbers of one digit, or none", () => {
    expect(ranking("How does the app use it at 3 %", bugs("3 % of the time", "the app does not use it", ""))).toEqual([
      [2, "app"],
    ]);
  });

  test("the bug itself and its own duplicates are left out", () => {
    const [one, two, three] = bugs("import stops", "import stops", "import stops");
    expect(ranking("import stops", [one, { ...two, dupe_of: 1 }, three], { id: 1 }).map(([id]) => id)).toEqual([3]);
  });

  test("the score is between 0 and 1", () => {
    const [same] = rankSimilar(subject("import stops", { component: "A" }), [
      { ...bugs("import stops")[0], component: "A" },
    ]);
    expect(same?.score).toBe(1);
  });
});

/** A tracker with bugs, and the searches that it was asked. */
function trackerOf(all: readonly Bug[]) {
  const searched: Query[] = [];
  const first: Searches["first"] = async ({ query }) => {
    searched.push(query);
    return all.filter((bug) => evaluate(query, { product: "Lantern", ...bug })).reverse();
  };
  return { searches: { first } as unknown as Searches, searched };
}

describe("candidates", () => {
  const ALL = bugs("import of raw files stops", "import is slow", "raw files are dark", "stops", "nothing alike");

  test("come by one search, in the product of the bug", async () => {
    const { searches, searched } = trackerOf(ALL);
    const found = await findSimilar(subject("raw import stops", { products: ["Lantern"] }), searches);
    expect(found.map(({ bug }) => bug.id)).toEqual([1, 4, 2, 3]);
    expect(searched.map(unparseQuery)).toEqual([expect.stringMatching(/^product = Lantern and /)]);
  });

  test("without a word take no request", async () => {
    const { searches, searched } = trackerOf(ALL);
    expect(await findSimilar(subject("?! 3 %"), searches)).toEqual([]);
    expect(searched).toEqual([]);
  });
});

test("an error of a search is an error", async () => {
  const searches = {
    first: async () => {
      throw new BtError("network", "no route");
    },
  } as unknown as Searches;
  await expect(findSimilar(subject("import stops"), searches)).rejects.toThrow("no route");
});
