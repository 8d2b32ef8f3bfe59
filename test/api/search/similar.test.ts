import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/api/query/evaluate.ts";
import type { Query } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import type { Searches } from "../../../src/api/search/searches.ts";
import { findSimilar, rankSimilar, type Subject } from "../../../src/api/search/similar.ts";
import { BtError } from "../../../src/errors.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const THEN = "2026-11-01T00:00:00Z";

function subject(summary: string, more: Partial<Subject> = {}): Subject {
  return { summary, creation_time: THEN, products: [], ...more };
}

/** Bugs from 1 on with these summaries, as many as a test names. */
function bugs(...summaries: readonly string[]): readonly [Bug, Bug, Bug, Bug] {
  const list: readonly Bug[] = summaries.map((summary, at) => ({ id: at + 1, summary, creation_time: THEN }));
  return list as readonly [Bug, Bug, Bug, Bug];
}

function ranking(summary: string, candidates: readonly Bug[], more: Partial<Subject> = {}) {
  return rankSimilar(subject(summary, more), candidates, NOW).map(({ bug, words }) => [bug.id, words.join(" ")]);
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
      how: "identifiers more than words, as a whole",
      summary: "NullPointerException when saving",
      others: ["pointer of the mouse when saving", "java.lang.NullPointerException in a dialogue"],
      best: [2, "exception null nullpointerexception pointer"],
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

  test("of equal ones, the same component first, then the nearest in time, then the newest", () => {
    const [one, two, three, four] = bugs("import stops", "import stops", "import stops", "import stops");
    const old = { ...two, creation_time: "2020-01-01T00:00:00Z" };
    const beside = { ...one, component: "Import" };
    expect(ranking("import stops", [old, beside, three, four], { component: "Import" }).map(([id]) => id)).toEqual([
      1, 4, 3, 2,
    ]);
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
    const [same] = rankSimilar(
      subject("import stops", { component: "A" }),
      [{ ...bugs("import stops")[0], component: "A" }],
      NOW,
    );
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
    const found = await findSimilar(subject("raw import stops", { products: ["Lantern"] }), NOW, searches);
    expect(found.map(({ bug }) => bug.id)).toEqual([1, 4, 2, 3]);
    expect(searched.map(unparseQuery)).toEqual([expect.stringMatching(/^product = Lantern and /)]);
  });

  test("without a word take no request", async () => {
    const { searches, searched } = trackerOf(ALL);
    expect(await findSimilar(subject("?! 3 %"), NOW, searches)).toEqual([]);
    expect(searched).toEqual([]);
  });
});

describe("in place of a duplicate", () => {
  const [first, second, third] = bugs("colours differ", "import of raw stops", "import of raw hangs");

  test("the bug is listed that it is a duplicate of, through a chain, with both", async () => {
    const { searches, searched } = trackerOf([
      { ...first, dupe_of: null },
      { ...second, dupe_of: 1 },
      { ...third, dupe_of: 2 },
    ] as readonly Bug[]);
    const [one, ...others] = await findSimilar(subject("import of raw stops"), NOW, searches);
    expect([one?.bug.id, one?.duplicates, others]).toEqual([1, [2, 3], []]);
    expect(searched).toHaveLength(2);
  });

  test("it stays if that bug is hidden", async () => {
    const { searches } = trackerOf([{ ...second, dupe_of: 77 }]);
    const found = await findSimilar(subject("import of raw stops"), NOW, searches);
    expect(found.map(({ bug, duplicates }) => [bug.id, bug.dupe_of, duplicates])).toEqual([[2, 77, []]]);
  });

  test("nothing is listed if that is the bug itself, and duplicates in a circle end", async () => {
    const { searches } = trackerOf([{ ...second, dupe_of: 3 }, { ...third, dupe_of: 2 }, first]);
    expect(await findSimilar(subject("raw import", { id: 9 }), NOW, searches)).toHaveLength(2);
    const again = trackerOf([
      { ...second, dupe_of: 3 },
      { ...third, dupe_of: 1 },
    ]);
    expect(await findSimilar(subject("import of raw stops", { id: 1 }), NOW, again.searches)).toEqual([]);
  });
});

test("an error of a search is an error", async () => {
  const searches = {
    first: async () => {
      throw new BtError("network", "no route");
    },
  } as unknown as Searches;
  await expect(findSimilar(subject("import stops"), NOW, searches)).rejects.toThrow("no route");
});
