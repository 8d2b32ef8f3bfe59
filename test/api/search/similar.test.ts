import { describe, expect, test } from "vitest";
import { findSimilar, rankSimilar, type Subject } from "../../../src/api/search/similar.ts";
import { BtError } from "../../../src/errors.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Request } from "../../../src/wire/exchange.ts";
import { searchesOn } from "../search-tools.ts";

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

/** A tracker with bugs; `own` are the possible duplicates that it finds itself. */
function trackerOf(all: readonly Bug[], own: readonly Bug[] | BtError = new BtError("missing", "no such bug")) {
  const requests: Request[] = [];
  const ask = async (request: Request) => {
    requests.push(request);
    if (request.operation === "Possible Duplicates") {
      if (own instanceof BtError) throw own;
      return { bugs: own };
    }
    const words = request.query.filter(([name]) => /^v\d+$/.test(name)).map(([, value]) => value.split(" "));
    const ids = request.query.filter(([name]) => name === "id").map(([, value]) => Number(value));
    const isFound = ({ id, summary }: Bug) =>
      ids.includes(id ?? 0) || words.some((some) => some.every((word) => summary?.toLowerCase().includes(word)));
    return { bugs: all.filter(isFound).reverse() } as never;
  };
  return { ask: ask as never, requests };
}

describe("candidates", () => {
  const ALL = bugs("import of raw files stops", "import is slow", "raw files are dark", "stops", "nothing alike");

  test("come by three requests, in the product of the bug", async () => {
    const { ask, requests } = trackerOf(ALL);
    const found = await findSimilar(subject("raw import stops", { products: ["Lantern"] }), NOW, searchesOn(ask));
    expect(found.map(({ bug }) => bug.id)).toEqual([1, 4, 2]);
    expect(requests).toHaveLength(3);
    expect(
      requests.every(({ query }) => query.some(([name, value]) => name === "product" && value === "Lantern")),
    ).toBe(true);
  });

  test("are also those that the tracker finds itself", async () => {
    const own = { id: 9, summary: "imports stopped", creation_time: THEN };
    const { ask } = trackerOf(ALL, [own]);
    const found = await findSimilar(subject("raw import stops"), NOW, searchesOn(ask));
    expect(found.map(({ bug }) => bug.id)).toContain(9);
  });

  test("come from searches alone if the tracker refuses to find any in a product closed for new bugs", async () => {
    const { ask } = trackerOf(ALL, new BtError("auth", "product closed"));
    expect(await findSimilar(subject("raw import stops"), NOW, searchesOn(ask))).toHaveLength(3);
  });

  test("without a word take no request", async () => {
    const { ask, requests } = trackerOf(ALL);
    expect(await findSimilar(subject("?! 3 %"), NOW, searchesOn(ask))).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("of a summary of many words fit into a request", async () => {
    const { ask, requests } = trackerOf(ALL);
    await findSimilar(subject(Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ")), NOW, searchesOn(ask));
    expect(Math.max(...requests.map(({ query }) => JSON.stringify(query).length))).toBeLessThan(6000);
  });
});

describe("in place of a duplicate", () => {
  const [first, second, third] = bugs("colours differ", "import of raw stops", "import of raw hangs");

  test("the bug is listed that it is a duplicate of, through a chain, with both", async () => {
    const { ask, requests } = trackerOf([
      { ...first, dupe_of: null },
      { ...second, dupe_of: 1 },
      { ...third, dupe_of: 2 },
    ] as readonly Bug[]);
    const [one, ...others] = await findSimilar(subject("import of raw stops"), NOW, searchesOn(ask));
    expect([one?.bug.id, one?.duplicates, others]).toEqual([1, [2, 3], []]);
    expect(requests).toHaveLength(4);
  });

  test("it stays if that bug is hidden", async () => {
    const { ask } = trackerOf([{ ...second, dupe_of: 77 }]);
    const found = await findSimilar(subject("import of raw stops"), NOW, searchesOn(ask));
    expect(found.map(({ bug, duplicates }) => [bug.id, bug.dupe_of, duplicates])).toEqual([[2, 77, []]]);
  });

  test("nothing is listed if that is the bug itself, and duplicates in a circle end", async () => {
    const { ask } = trackerOf([{ ...second, dupe_of: 3 }, { ...third, dupe_of: 2 }, first]);
    expect(await findSimilar(subject("raw import", { id: 9 }), NOW, searchesOn(ask))).toHaveLength(2);
    const again = trackerOf([
      { ...second, dupe_of: 3 },
      { ...third, dupe_of: 1 },
    ]);
    expect(await findSimilar(subject("import of raw stops", { id: 1 }), NOW, searchesOn(again.ask))).toEqual([]);
  });
});

test("an error of a search is an error", async () => {
  const ask = async () => {
    throw new BtError("network", "no route");
  };
  await expect(findSimilar(subject("import stops"), NOW, searchesOn(ask))).rejects.toThrow("no route");
});
