import process from "node:process";
import { expect, test } from "vitest";
import type { Catalog } from "../../src/api/catalog/catalog.ts";
import { parseExpression } from "../../src/api/query/parse.ts";
import { machineClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { much } from "../sampling.ts";
import { demoServer } from "../servers/demo-server.ts";
import { compareWithMirror, type MirroredServer, mirroredServer, randomExpressions } from "./server-comparison.ts";

// `COMPARE=1 BT_BASE_URL=https://bugs.example.org BT_API_KEY=... SEED=7 npx vitest run test/agreement/server` compares any server
// with a mirror of it, or with PRODUCT=... of one of its products. A login without the right to private attachments sees other bugs by conditions on flags: Bugzilla
// counts the flags of attachments that it hides (_join_flag_tables of Bugzilla/Search.pm). Without COMPARE=1 the server is the demo, so that tests do not use the network.
const { COMPARE, BT_BASE_URL = "", BT_API_KEY = "", PRODUCT, SEED = "1" } = process.env;

const HOURS = 3_600_000;

test(
  "random expressions find on a server what they find on a mirror of it",
  async () => {
    const { url, key } = COMPARE ? { url: BT_BASE_URL, key: BT_API_KEY } : await demo();
    const now = machineClock.now().toISOString();
    const server = await mirroredServer({ url, key, product: COMPARE && PRODUCT, home: freshFolder(), now });
    const trees = randomExpressions(server, Number(SEED), COMPARE ? 300 : much(20, 300));
    const { different, ...counts } = await compareWithMirror(server, trees);
    if (COMPARE) process.stdout.write(`${[summary(counts), ...different].join("\n")}\n`);
    expect(different, `with SEED=${SEED}`).toEqual([]);
    expect(counts.some).toBeGreaterThan(COMPARE ? 0 : trees.length / 5);
  },
  HOURS,
);

async function demo() {
  const { url, key } = await demoServer();
  return { url, key: key() };
}

function summary(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

test("a difference is reported by the smallest part of its expression, unless a sync removes it", async () => {
  const state = { synced: 0 };
  const answer = (ids: readonly number[]) => ({ ids, failure: "" });
  const server: MirroredServer = {
    source: { catalog: { fields: [] } as unknown as Catalog, bugs: [], words: [], people: [], count: 3 },
    sync: async () => {
      state.synced += 1;
    },
    onServer: async () => answer([1, 2]),
    onMirror: async (text) =>
      answer(/summary/.test(text) || (/priority/.test(text) && state.synced < 1) ? [2] : [1, 2]),
  };
  const trees = ["priority = High", "id > 1 and (severity = normal or not summary ~ crash)", "id < 9"];
  const compared = await compareWithMirror(
    server,
    trees.map((text) => parseExpression(text)),
  );
  expect(compared).toMatchObject({ equal: 2, some: 2, refused: 0, invalid: 0, byWords: 0 });
  expect(compared.different).toEqual(["summary ~ crash\n  server: 2 bugs, alone: 1\n  mirror: 1 bugs"]);
});

test.each([
  ["equal", "", ""],
  ["invalid", "bt: unknown status", "bt: unknown status"],
  ["refused", "", "bt: the mirror x cannot decide last_visit"],
  ["refused", 'bt: unknown user "x"', ""],
  ["different", "", "bt: unknown status"],
  ["different", "bt: the tracker failed", ""],
])("%s: the server says %j, the mirror %j", async (kind, onServer, onMirror) => {
  const answer = async (failure: string) => ({ ...(failure === "" ? { ids: [1] } : {}), failure });
  const compared = await compareWithMirror(
    {
      source: { catalog: { fields: [] } as unknown as Catalog, bugs: [], words: [], people: [], count: 3 },
      sync: async () => undefined,
      onServer: () => answer(onServer),
      onMirror: () => answer(onMirror),
    },
    [parseExpression("id > 1")],
  );
  const { different, ...counts } = compared;
  expect({ ...counts, different: different.length }).toMatchObject({ [kind]: 1 });
});
