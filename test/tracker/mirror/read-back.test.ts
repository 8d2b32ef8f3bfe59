import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMirror, type OpenedMirror } from "../../../src/tracker/mirror/open.ts";
import type { Json, JsonObject } from "../../../src/wire/exchange.ts";
import type { ReceivedBug } from "../../../src/wire/mirror.ts";
import { stoppedClock } from "../../clock.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { bodyOf, listOf, RECORDED } from "../../recordings/recorded.ts";
import { type Chance, chance } from "../../reliability/random.ts";
import { much } from "../../sampling.ts";
import { get, receiveBugs, receiveMetadata } from "./received.ts";

const RUNTIME = { now: stoppedClock().now, random: (bytes: number) => new Uint8Array(bytes) };
const READ = "2026-11-20T12:00:00Z";
const LOGIN = "tomas@example.org";

/** A mirror of the demo without bugs, and the bugs that it would have. */
async function anEmptyMirror() {
  const { tracker, store } = freshDemo(RUNTIME);
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [LOGIN])?.["id"]);
  const exchange: typeof tracker = (request) => tracker(request, { address: "127.0.0.1", userId });
  const facts = { tracker: "https://bugs.example.org", products: [] } as const;
  const opened = createMirror(":memory:", { ...facts, attachments: "none", publicOnly: false, login: LOGIN }, RUNTIME);
  opened.mirror.keepMetadata(await receiveMetadata(exchange));
  return { opened, bugs: await receiveBugs(exchange) };
}

/** Expects that comments and the history of a bug are read as they were received. */
async function expectReadBack({ exchange }: OpenedMirror, { bug, comments, history }: ReceivedBug): Promise<void> {
  const id = Number(bug["id"]);
  const { bugs } = await get(exchange, `/bug/${id}/comment`);
  expect(bugs).toEqual({ [id]: { comments } });
  const [own] = listOf((await get(exchange, `/bug/${id}/history`))["bugs"]);
  expect(own?.["history"]).toEqual(history);
}

describe("what servers returned is read as received", () => {
  const bodies = RECORDED.map((exchange) => bodyOf(exchange)["bugs"]);
  const withComments = bodies.flatMap((bugs) => Object.values(Object(bugs) as JsonObject)).map((bug) => Object(bug));
  const comments = withComments.map((bug) => listOf(bug["comments"])).filter((list) => list.every(hasId));
  const histories = bodies.flatMap(listOf).map((bug) => listOf(bug["history"]));

  test("comments and histories of the recordings", async () => {
    const { opened, bugs } = await anEmptyMirror();
    const [{ bug } = { bug: {} }] = bugs;
    const some = [comments, histories].map((lists) => lists.filter(({ length }) => length > 0));
    expect(some.map(({ length }) => length > 5)).toEqual([true, true]);
    for (const list of some[0] ?? []) {
      const one = { bug: { ...bug, id: Number(list[0]?.["bug_id"]) }, comments: list, history: [], attachments: [] };
      await opened.mirror.keepBugs([one], READ);
      await expectReadBack(opened, one);
    }
    for (const history of some[1] ?? []) {
      const one = { bug, comments: [], history, attachments: [] };
      await opened.mirror.keepBugs([one], READ);
      await expectReadBack(opened, one);
    }
  });
});

function hasId({ id, bug_id }: JsonObject): boolean {
  return typeof id === "number" && typeof bug_id === "number";
}

/** Odd values of the types that responses are checked for. */
const TEXTS = [
  ...[
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "x\udfff",
    "\ufeff",
    "é",
    "e\u0301",
    "TOMAS@example.org",
    "nobody@example.net",
    "tomas",
  ],
  ...["bug_status", "status", "cf_none", "Created attachment 1\nundefined\n\ntext", "Comment on attachment 3\n\n\n"],
  ...["*** Bug 7 has been marked as a duplicate of this bug. ***", "Created attachment 2\n"],
  "a\n\n*** This bug has been marked as a duplicate of bug 7 ***",
];
const TIMES = [
  "2026-11-20T05:57:24Z",
  "2026-11-20T05:57:24.000Z",
  "2026-11-20 05:57:24",
  "1999-01-01T00:00:00Z",
  "soon",
  "x\ud800",
];

const OF_COMMENT: Readonly<Record<string, readonly Json[]>> = {
  text: [...TEXTS, null],
  creator: TEXTS,
  time: [...TIMES, ...TEXTS, null],
  creation_time: TIMES,
  count: [0, 1, -1, 7, null],
  attachment_id: [0, 1, 3, 99, null],
  is_private: [true, false, 0, 1, 2, null],
  tags: [["b", "a"], ["a"], [], null, ["a", "A"]],
  extra: [...TEXTS, 1, null, []],
};
const OF_ENTRY = { when: TIMES, who: TEXTS, extra: TEXTS, changes: [[]] };
const OF_CHANGE = { field_name: TEXTS, removed: TEXTS, added: TEXTS, attachment_id: [0, 1, 99, null], extra: TEXTS };

/** The bug with an odd value, or in another order, in a comment or in the history. */
function odd(luck: Chance, { bug, comments, history, attachments }: ReceivedBug): ReceivedBug {
  const changed = <Thing extends JsonObject>(list: readonly Thing[], change: (one: Thing) => JsonObject) => {
    const at = luck.below(list.length);
    return list.map((one, place) => (place === at ? change(one) : one));
  };
  const oddValue = (one: JsonObject, values: Readonly<Record<string, readonly Json[]>>): JsonObject => {
    const name = luck.one(Object.keys(values));
    return { ...one, [name]: luck.one(values[name] ?? []) };
  };
  const without = ({
    [luck.one(["time", "count", "attachment_id", "is_private", "tags"])]: _,
    ...others
  }: JsonObject) => others;
  const atAnotherTime = (one: JsonObject) => {
    const time = luck.one(TIMES);
    return { ...one, time, creation_time: time };
  };
  const inChanges = (entry: JsonObject) => ({
    ...entry,
    changes: changed(listOf(entry["changes"]), (one) => oddValue(one, OF_CHANGE)),
  });
  const ways: readonly (() => Partial<ReceivedBug>)[] = [
    () => ({ comments: changed(comments, (one) => oddValue(one, OF_COMMENT)) }),
    () => ({ comments: changed(comments, without) }),
    () => ({ comments: changed(comments, atAnotherTime) }),
    () => ({ comments: luck.shuffled(comments) }),
    () => ({ history: changed(history, (one) => oddValue(one, OF_ENTRY)) }),
    () => ({ history: changed(history, inChanges) }),
    () => ({ history: luck.shuffled([...history, ...history.slice(0, luck.below(3))]) }),
  ];
  return { bug, comments, history, attachments, ...luck.one(ways)() };
}

test.each(Array.from({ length: much(1, 10) }, (_, seed) => seed + 1))(
  "any JSON is read as received, round %i",
  async (seed) => {
    const { opened, bugs } = await anEmptyMirror();
    const [one] = bugs;
    if (!one) throw new Error("the demo has no bugs");
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), async (cf_any, more) => {
        const bug: JsonObject = { ...one.bug, cf_any: cf_any as Json };
        const history = [{ when: READ, who: LOGIN, changes: [], ...(more as JsonObject) }];
        await opened.mirror.keepBugs([{ ...one, bug, history }], READ);
        const id = Number(bug["id"]);
        const query = { include_fields: "cf_any" };
        const read = await get(opened.exchange, `/bug/${id}`, query);
        expect(read["bugs"]).toEqual([JSON.parse(JSON.stringify({ cf_any }))]);
        const [own] = listOf((await get(opened.exchange, `/bug/${id}/history`))["bugs"]);
        expect(own?.["history"]).toEqual(JSON.parse(JSON.stringify(history)));
      }),
      { numRuns: 100, seed },
    );
  },
);

describe("odd values are read as received", () => {
  test.each(Array.from({ length: much(2, 20) }, (_, seed) => seed + 1))("round %i", async (seed) => {
    const luck = chance(seed);
    const { opened, bugs } = await anEmptyMirror();
    for (let time = 0; time < 100; time += 1) {
      const page = luck.shuffled(bugs).slice(0, 1 + luck.below(3));
      const received = page.map((bug) =>
        luck.below(4) === 0 ? bug : odd(luck, luck.below(2) === 0 ? bug : odd(luck, bug)),
      );
      await opened.mirror.keepBugs(received, READ);
      for (const bug of received) await expectReadBack(opened, bug);
    }
  });
});
