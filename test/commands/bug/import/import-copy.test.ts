import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BtError } from "../../../../src/errors.ts";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import type { Comment } from "../../../../src/wire/resources.ts";
import type { Around, Ran } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo, demoWithExchange } from "../../demo.ts";

type Run = ReturnType<typeof demo>;

/** Imports these rows as new bugs. */
async function importNew(run: Run, rows: readonly object[], more = "", around: Partial<Around> = {}) {
  const file = join(freshFolder(), "bugs.jsonl");
  writeFileSync(file, rows.map((row) => `${JSON.stringify({ ...USUAL, ...row })}\n`).join(""));
  return { ...(await run(`bug import --new ${file} -y ${more}`, around)), file };
}

const USUAL = {
  product: "Lantern",
  component: "Library",
  version: "3.1",
  op_sys: "All",
  platform: "All",
  summary: "Title",
};

/** Old and new ids that a run has printed. */
function newIds({ out }: Ran): ReadonlyMap<number, number> {
  return new Map(
    out
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t").slice(0, 2).map(Number) as [number, number]),
  );
}

async function commentsOf(run: Run, id: number | undefined): Promise<readonly Comment[]> {
  return JSON.parse((await run(`comment list ${id} --json`)).out);
}

function writes({ requests }: Ran) {
  return requests.filter(({ method }) => method !== "GET").map(({ method, body }) => [method, body]);
}

describe("bt bug import --new of an export", () => {
  test("files every bug again, with its status and links among the new ones", async () => {
    const run = demo();
    const file = join(freshFolder(), "bugs.jsonl");
    const around = { env: { HOME: freshFolder() } };
    await run(`bug export id:3,4,5,12,18,21,35,48 -o ${file}`); // a duplicate, links, hours
    const before = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const bug of before) bug.alias = []; // which are unique in a tracker
    writeFileSync(file, before.map((bug) => `${JSON.stringify(bug)}\n`).join(""));
    const ran = await run(`bug import --new ${file} -y`, around);
    expect(ran.code, ran.err).toBe(0);
    const ids = newIds(ran);
    expect(ids.size).toBe(before.length);
    const after = JSON.parse((await run(`bug get ${[...ids.values()].join(" ")} --json`)).out);
    const bugs = new Map(after.map((bug: { id: number }) => [bug.id, bug]));
    for (const bug of before) {
      const copy = bugs.get(ids.get(bug.id));
      const links = (old: readonly number[]) => old.flatMap((id) => ids.get(id) ?? []).sort();
      expect(copy).toMatchObject({
        ...{ summary: bug.summary, status: bug.status, resolution: bug.resolution, priority: bug.priority },
        ...{ assigned_to: bug.assigned_to, keywords: bug.keywords, groups: bug.groups, deadline: bug.deadline },
        ...{ depends_on: links(bug.depends_on), blocks: links(bug.blocks), dupe_of: ids.get(bug.dupe_of) ?? null },
      });
    }
    const again = await run(`bug import --new ${file} -y`, around);
    expect([again.code, again.out, writes(again)]).toEqual([0, "", []]);
  });

  test("begins the description with the origin, and ends it with the comments", async () => {
    const run = demo();
    const file = join(freshFolder(), "bugs.jsonl");
    await run("comment add 12 -m 'Seen by the support, too.' --private");
    await run(`bug export id:12 -o ${file}`);
    const ran = await run(`bug import --new ${file} -y`);
    expect(ran.err).toBe(
      "note: not imported: flags, remaining_time, history, attachments, 1 comment (private or too long)\n",
    );
    const [description, ...others] = await commentsOf(run, newIds(ran).get(12));
    expect([description?.is_private, others]).toEqual([false, []]);
    expect(description?.text).toMatchInlineSnapshot(`
      "demo bug 12, reported by priya@example.org on 2026-04-24

      The length is right, the end is missing. Seen behind two different proxies, and without any.

      Comment 1 by priya@example.org on 2026-04-26 12:00 UTC:

      The compressor is closed too early."
    `);
  });

  test("omits and counts the last comments if a description cannot be that long", async () => {
    const run = demo();
    const comment = { creator: "ada@example.org", time: "2026-01-02T03:04:05Z", is_private: false };
    const comments = ["Start", "\u{1F41E}".repeat(60_000), "b".repeat(60_000), "End"];
    const ran = await importNew(run, [
      { id: 900, comments: comments.map((text, count) => ({ ...comment, count, text })) },
    ]);
    expect([ran.code, ran.err]).toEqual([0, "note: not imported: 2 comments (private or too long)\n"]);
    const [description] = await commentsOf(run, newIds(ran).get(900));
    expect(description?.text).toMatch(/^bug 900\n\nStart\n\nComment 1 by .* UTC:\n\n\u{1F41E}+$/u);
  });
});

describe("bt bug import --new", () => {
  test("prints old and new ids", async () => {
    const run = demo();
    const ran = await importNew(run, [{ id: 900 }, { summary: "Without a number" }], "--json");
    const [one, other] = JSON.parse(ran.out);
    expect([one, other]).toMatchObject([
      { old_id: 900, id: expect.any(Number), result: "created" },
      { id: one.id + 1, result: "created" },
    ]);
  });

  test("files a duplicate whose original is not filed, and says so", async () => {
    const ran = await importNew(demo(), [{ id: 900, status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 12 }]);
    expect([ran.code, ran.err]).toEqual([
      5,
      expect.stringMatching(/filed as bug \d+, but not complete: the original, bug 12 of the file, is not filed\n/),
    ]);
  });

  test("stops when the tracker is down, and completes each bug once", async () => {
    const { run, exchange } = demoWithExchange();
    const env = { HOME: freshFolder() };
    const down: Exchange = async (request) => {
      if (request.method === "PUT") throw new BtError("network", "no connection", { changed: "nothing" });
      return exchange(request);
    };
    const rows = [{ id: 900, status: "RESOLVED", resolution: "FIXED" }, { id: 901 }];
    const { file, ...first } = await importNew(run, rows, "", { env, exchange: down });
    const second = await run(`bug import --new ${file} -y`, { env });
    const third = await run(`bug import --new ${file} -y`, { env });
    const methods = [first, second, third].map((ran) => writes(ran).map(([method]) => method));
    expect(methods).toEqual([["POST", "PUT"], ["PUT", "POST"], []]);
  });

  test("keeps private comments private", async () => {
    const run = demo();
    const comment = { creator: "ada@example.org", time: "2026-01-02T03:04:05Z" };
    const rows = [
      {
        id: 900,
        comments: [
          { ...comment, count: 0, text: "Secret", is_private: true },
          { ...comment, count: 1, text: "Open", is_private: false },
        ],
      },
    ];
    const ran = await importNew(run, rows);
    const [description] = await commentsOf(run, newIds(ran).get(900));
    expect([description?.is_private, description?.text]).toEqual([
      true,
      "bug 900\n\nSecret\n\nComment 1 by ada@example.org on 2026-01-02 03:04 UTC:\n\nOpen",
    ]);
  });

  test.each([
    ["an unknown product", { product: "Kettle" }, 'unknown product "Kettle"'],
    ["too long a text", { description: "x".repeat(65_536) }, "has 65545 characters; the maximum is 65535"],
    ["no original", { status: "RESOLVED", resolution: "DUPLICATE" }, "DUPLICATE requires the original bug"],
  ])("files nothing if a row has %s", async (_, row, why) => {
    const ran = await importNew(demo(), [{ id: 899 }, { id: 900, ...row }]);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain(why);
  });
});
