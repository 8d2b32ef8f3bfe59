import { beforeAll, describe, expect, test } from "vitest";
import { TREE } from "../../src/commands/tree.ts";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import type { Exchange, Json, JsonObject, Request } from "../../src/wire/exchange.ts";
import { bt, btConnected } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";
import { sampled } from "../sampling.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { rawRun, says } from "./raw.ts";

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({
    now: clockOf(),
    random: (bytes) => new Uint8Array(bytes),
  });
  return () => demo.close();
});

/** One of everything that drives a terminal, turns the reading direction or hides. */
const HOSTILE =
  "\u001b]0;t\u0007\u001b[2J\u001bPq\u001b\\\u009b31m\u009d0;t\u009c\b\b\u007f\u000e\u202ed\u2066x\u2069\u200f\u061c\u2028\ufeff\u{e0041}\u0000";
const UNTAMED =
  /(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const VERBS = [
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
].filter(({ verb }) => !verb.offline);

const FORMATS = ["json", "ndjson", "csv", "tsv", "ids", "table"];

const LINES = VERBS.flatMap(({ words, verb }, nth) =>
  verb.examples
    .map(({ line }) => line.slice(line.indexOf(words)).replace(/ --(dry-run|json)\b/g, ""))
    .flatMap((line, at) => {
      const formats = verb.output ? sampled(FORMATS, 3, nth + at) : [];
      return [line, ...formats.map((format) => `${line} --format ${format}`)];
    }),
);

/**
 * A bug of a hostile status is not known to be open, so that closing it changes nothing and lists nothing; a bug that is a
 * duplicate by now is not listed again; hostile logins and fields are not those that are looked for. A server without a client prints nothing.
 */
function hasNothingToDo(line: string): boolean {
  return (
    line.startsWith("mcp ") ||
    /^bug (close 44|dup 40 2|history 48 --field status --author \S+) --format (tsv|ids)$/.test(line)
  );
}

describe.each([
  ["every text from the tracker", (_: Request) => true, LINES],
  ["every text except the metadata", ({ path }: Request) => !path.startsWith("/rest/field"), sampled(LINES, 6)],
  ["errors", () => false, sampled(LINES, 6, 1)],
])("E1 %s is hostile, and none of it reaches a terminal", (what, isSpoilt, lines) => {
  test.each(lines)("bt %s", async (line) => {
    const [stop, last] = [
      new AbortController(),
      { requests: line.startsWith("bug watch") ? 12 : Number.POSITIVE_INFINITY },
    ];
    const exchange: Exchange = async (request) => {
      last.requests -= 1;
      if (last.requests < 0) stop.abort("SIGINT"); // nothing else ends it
      if (what === "errors") return refusal();
      const reply = await demo.exchange(request);
      if (!isSpoilt(request) || reply.status >= 300) return reply;
      return { ...reply, body: JSON.stringify(spoilt(JSON.parse(reply.body))) };
    };
    const ran = await bt(line, { exchange, terminal: true, columns: 200, rows: 1000, signal: stop.signal });
    expect(ran.code).not.toBe(70);
    expect([UNTAMED.exec(ran.out)?.[0], UNTAMED.exec(ran.err)?.[0]]).toEqual([undefined, undefined]);
    if (!hasNothingToDo(line)) expect(ran.out + ran.err).not.toBe("");
  });
});

/** The same with hostile text behind every text but the times. */
function spoilt(value: Json): Json {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\d/.test(value) ? value : `${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map(spoilt);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, spoilt(member)] as const);
  return Object.fromEntries([...members, [`cf_${HOSTILE}`, HOSTILE]]);
}

function withHostileValues(field: JsonObject): JsonObject {
  return { ...field, values: spoilt(field["values"] ?? []) };
}

function refusal() {
  const headers = { "content-type": `application/json${HOSTILE.replace(/[\r\n]/g, "")}` };
  return { status: 400, headers, body: JSON.stringify({ error: true, code: 999, message: `No ${HOSTILE} luck` }) };
}

describe("E1 no hostile text reaches a terminal from", () => {
  test.each([
    ["a bug", answer(JSON.stringify({ bugs: [{ id: 7, summary: HOSTILE }], faults: [] }))],
    ["a web page", answer(`<title>${HOSTILE}</title>`, { headers: { "content-type": "text/html" } })],
    ["a broken gateway", answer(HOSTILE, { status: `502 ${HOSTILE.slice(2, 5)}` })],
    ["a login", answer(JSON.stringify({ id: 1, name: HOSTILE, real_name: HOSTILE }))],
  ])("the log of %s with -vv", async (_, said) => {
    for (const line of ["bug get 7 -vv", "auth status -vv"]) {
      const run = await rawRun({ act: says(said) }, line);
      expect(UNTAMED.exec(run.err + run.out)?.[0]).toBeUndefined();
      expect(run.err).toContain("< ");
    }
  });

  test("the prompt of a bulk update", async () => {
    const tracker = await faultyTracker();
    crowd(tracker, 130);
    tracker.store.run("UPDATE bugs SET summary = @text", { text: HOSTILE.replace("\0", "") });
    const ids = Array.from({ length: 21 }, (_, at) => 101 + at).join(" ");
    const env = { ...tracker.env, HOME: freshFolder() };
    const run = await btConnected(`bug update ${ids} --priority Highest`, { env, terminal: true, answers: ["n"] });
    expect(run.code).toBe(13);
    expect(run.err).toContain("change 21 bugs? [y/N]");
    expect(UNTAMED.exec(run.err)?.[0]).toBeUndefined();
  });

  test.each(["--product", "--status", "--priority"])("completions of %s", async (flag) => {
    const line = `complete -- bug search ${flag} ''`;
    const exchange: Exchange = async (request) => {
      const reply = await demo.exchange(request);
      const fields = JSON.parse(reply.body).fields.map((field: JsonObject) => withHostileValues(field));
      return { ...reply, body: JSON.stringify({ fields }) };
    };
    expect((await bt(line, demo)).out.split("\n").length).toBeGreaterThan(2);
    const words = expect.stringMatching(/^(?:@(?:open|closed|all)\t[\w ]*\n)*$/); // beside the values
    expect(await bt(line, { exchange, terminal: true })).toMatchObject({ code: 0, out: words });
  });

  test("the output of --dry-run", async () => {
    const env = { BT_BASE_URL: "demo:", HOME: freshFolder() };
    for (const flags of ["", "--json"]) {
      const line = `comment add 12 -m 'turn \u202eed \u0085 round\ufeff' --dry-run ${flags}`;
      const run = await btConnected(line, { env, terminal: true });
      expect(UNTAMED.exec(run.err + run.out)?.[0]).toBeUndefined();
    }
  });
});
