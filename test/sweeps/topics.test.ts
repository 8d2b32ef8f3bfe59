import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { STATE_NAMES } from "../../src/api/query/resolve.ts";
import { QUERY_PAGE } from "../../src/cli/pages.ts";
import { TOPICS } from "../../src/cli/topics.ts";
import { EXIT_CODES } from "../../src/errors.ts";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { FORMATS } from "../../src/view/view.ts";
import { bt } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { shell } from "../process/real.ts";

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

async function page(topic: string) {
  return (await bt(`help ${topic}`, { ...demo, terminal: true, columns: 1000 })).out;
}

test("bt --help lists every page of help", async () => {
  const { out } = await bt("--help", demo);
  expect(out).toMatch(new RegExp(` help +${Object.keys(TOPICS).join("\\s+")}$`, "m"));
});

test("every exit code is explained", async () => {
  const words = (await page("exit-codes")).replaceAll(/\s+/g, " ");
  for (const [kind, { code, about }] of Object.entries(EXIT_CODES))
    expect(words).toContain(` ${code} ${kind} ${about} `);
});

test("every environment variable read by the source is explained", async () => {
  const out = await page("environment");
  const source = path.join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const launcher = ["../bin/bt.cjs"];
  const read = [...files, ...launcher].flatMap(
    (file) => readFileSync(path.join(source, file), "utf8").match(VARIABLE) ?? [],
  );
  expect(read.length).toBeGreaterThan(10);
  expect([...new Set(read)].filter((name) => !(out.includes(name) || USUAL.includes(name)))).toEqual([]);
});

/** A variable as it is read from an environment, whatever that is called. */
const VARIABLE = /(?<=\benv\[")\w+(?="\])/g;

/** Variables that every program on a system reads, and those that only find the keyring. */
const USUAL = ["ComSpec", "HOME", "PATH", "DBUS_SESSION_BUS_ADDRESS", "NODE_V8_COVERAGE"];

test("every format is explained", async () => {
  const out = await page("formats");
  for (const format of FORMATS) expect(out).toContain(`--format ${format} `);
});

test("the loop over columns keeps each column in its place, also an empty one", async () => {
  const text = (await page("formats")).replaceAll(/ \\\n +/g, " ");
  const [, line = ""] = /^ {2}\$ (bt .* while .*)$/m.exec(text) ?? [];
  expect((await shell(line)).out).toMatch(/^43: Errors of the interface: one page with every number$/m);
});

describe("each line of the page about the query language works on the demo", () => {
  const lines = [...QUERY_PAGE.matchAll(/^ {2}(\S.*?)(?: {2}|$)/gm)].map(([, term = ""]) => term);
  const states = STATE_NAMES.map((name) => `is:${name}`);
  const needSetting = ["is:assigned", "is:unassigned", "is:unread"]; // as the page says; the demo has no visits
  const expressions = lines.filter((line) => !line.startsWith("bt ") && !states.includes(line));

  test.each([...expressions, ...states.filter((state) => !needSetting.includes(state))])("%s", async (expression) => {
    const ran = await bt(`bug search --where '${expression}' --format ids`, { ...demo, login: demo.login });
    expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining("bt:") });
  });

  test.each(states)("%s is explained", async (state) => {
    expect(await page("query")).toMatch(new RegExp(`(?:^ {2}|;\\s+)${state}\\s`, "m"));
  });

  test.each(lines.filter((line) => line.startsWith("bt ")))("%s", async (line) => {
    expect(await bt(line.replace(/^bt /, ""), demo)).toMatchObject({ code: 0 });
  });
});
