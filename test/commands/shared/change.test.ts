import { describe, expect, test } from "vitest";
import type { Exchange, JsonObject } from "../../../src/wire/exchange.ts";
import { bt, updates } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { NETWORK, plainFacts } from "../../interface/interface.ts";
import { demo } from "../demo.ts";

const VISIBLE = [...Array(50).keys()].map((at) => at + 1).filter((id) => id !== 17 && id !== 28); // to tomas
const FIXED = { status: "RESOLVED", resolution: "FIXED" };
const SAID = { comment: { body: "hello" } };

describe("a verb sends what it names, and tells what became of each bug", () => {
  test.each<[line: string, sent: JsonObject[], out: string, code?: number]>([
    ["update 44 --priority Low", [{ ids: [44], priority: "Low" }], "44\tapplied\n"],
    ["update 44 --priority Normal", [], "44\tunchanged\n"],
    [
      "update 44 --priority Normal -m hello",
      [{ ids: [44], priority: "Normal", comment: SAID.comment }],
      "44\tapplied\n",
    ],
    ["close 44 43", [{ ids: [44, 43], ...FIXED }], "44\tapplied\n43\tapplied\n"],
    ["close 30 44", [{ ids: [44], ...FIXED }], "30\tunchanged\n44\tapplied\n"],
    ["close 30 --as INVALID", [], "30\tunchanged\n"],
    [
      "close 14 44 --as WONTFIX",
      [
        { ids: [14], resolution: "WONTFIX" },
        { ids: [44], status: "RESOLVED", resolution: "WONTFIX" },
      ],
      "14\tapplied\n44\tapplied\n",
    ],
    ["close 30 -m hello", [], "30\tunchanged\n", 10],
    [
      "close 30 44 -m hello --work-time 1",
      [{ ids: [44], ...FIXED, ...SAID, work_time: 1 }],
      "30\tunchanged\n44\tapplied\n",
      10,
    ],
    ["update 44 --work-time 0", [], "44\tunchanged\n"],
    ["update 44 --comment-is-private 44#0=no", [], "44\tunchanged\n"],
    ["update 44 --comment-is-private 44#0=no --priority Low", [{ ids: [44], priority: "Low" }], "44\tapplied\n"],
    ["reopen 12 44", [{ ids: [12], status: "CONFIRMED" }], "12\tapplied\n44\tunchanged\n"],
    ["reopen 12 --status unconfirmed", [{ ids: [12], status: "UNCONFIRMED" }], "12\tapplied\n"],
    ["reopen 44 -m hello", [], "44\tunchanged\n", 10],
    ["confirm 46", [{ ids: [46], status: "CONFIRMED" }], "46\tapplied\n"],
    ["dup 44 43", [{ ids: [44], dupe_of: 43 }], "44\tapplied\n"],
    ["dup 4 3", [], "4\tunchanged\n"],
    ["take 44 --start", [{ ids: [44], assigned_to: "tomas@example.org", status: "IN_PROGRESS" }], "44\tapplied\n"],
    ["update 44 99999 --priority Low --yes", [{ ids: [44], priority: "Low" }], "44\tapplied\n99999\trefused\n", 10],
    ["update 44 99999 --priority Low", [], "", 13],
    ["update 44 --status VERIFIED", [], "", 2],
  ])("bug %s", async (line, sent, out, code = 0) => {
    const ran = await demo()(`bug ${line}`);
    expect([ran.code, ran.out, updates(ran)]).toEqual([code, out, sent]);
  });

  test("nothing of stdin is nothing to do", async () => {
    const ran = await demo()("bug update - --priority Low --json", { stdin: "" });
    expect(ran).toMatchObject({ code: 0, out: "[]\n", err: "note: no bugs on stdin: nothing to do\n" });
  });
});

describe("what is refused is refused before the first write, each bug with its reason", () => {
  test.each([
    ["few", [11, 13, 4, 99999]], // 4 is closed
    ["many", [...VISIBLE.slice(12, 40), 99999]],
  ])("%s", async (_, ids) => {
    const line = `bug update ${ids.join(" ")} --add-depends-on 12`;
    const [held, dry, ran] = [
      await demo()(line),
      await demo()(`${line} --dry-run --json`),
      await demo()(`${line} --yes`),
    ];
    expect([held.code, updates(held), dry.code, updates(dry), ran.code]).toEqual([13, [], 10, [], 10]);
    for (const { err } of [held, dry, ran]) expect(err).toContain("bug 99999: not found");
    const results = (JSON.parse(dry.out).bugs as { id: number; result: string }[]).map(({ id, result }) => [
      id,
      result,
    ]);
    expect(results).toEqual(ids.map((id) => [id, id === 99999 ? "refused" : "would change"]));
    expect(updates(ran).flatMap((body) => body["ids"])).toEqual(ids.filter((id) => id !== 99999));
  });
});

describe("requests", () => {
  const line = `bug update ${VISIBLE.slice(0, 45).join(" ")} --whiteboard seen --yes`;

  test("are lists of twenty of a Bugzilla, in the order of the bugs, as the dry run shows", async () => {
    const ran = await demo()(line);
    expect([ran.code, updates(ran).map(({ ids }) => (ids as number[]).length)]).toEqual([0, [20, 20, 5]]);
    expect(ran.out.split("\n").slice(0, -1)).toEqual(VISIBLE.slice(0, 45).map((id) => `${id}\tapplied`));
    const dry = JSON.parse((await demo()(`${line} --dry-run --json`)).out);
    expect(dry.requests.map(({ body }: { body: JsonObject }) => body)).toEqual(updates(ran));
  });

  test("are a bug each on a plain server, and where an edit names another bug or is made for each bug", async () => {
    const { exchange, login } = freshDemo(SURROUNDINGS);
    const plain = await bt(line, { exchange, ...NETWORK, login, facts: plainFacts() });
    expect([plain.code, updates(plain).length]).toEqual([0, 45]);
    for (const flags of ["--add-blocks 49", "--add-whiteboard x"])
      expect(updates(await demo()(`bug update 40 41 ${flags}`))).toHaveLength(2);
  });

  test("a list that is refused as a whole is sent bug by bug", async () => {
    const { exchange, login } = freshDemo(SURROUNDINGS);
    const refusing: Exchange = (request) => {
      const { ids = [] } = Object(request.body) as { ids?: number[] };
      const isRefused = request.method === "PUT" && (ids.includes(7) || request.path === "/rest/bug/7");
      return isRefused ? Promise.resolve(REFUSED) : exchange(request);
    };
    const ids = VISIBLE.slice(0, 20);
    const ran = await bt(`bug update ${ids.join(" ")} --whiteboard seen`, { exchange: refusing, login });
    expect([ran.code, ran.out.split("\n").slice(0, -1)]).toEqual([
      10,
      ids.map((id) => `${id}\t${id === 7 ? "refused" : "applied"}`),
    ]);
    expect(ran.err).toContain("bug 7: You may not");
  });

  test.each([
    [503, 8, 1],
    [401, 4, 1],
    [503, 8, 2],
    [401, 4, 2],
  ])("a %i ends the change with %i after %i lists: the rest is not tried", async (status, code, lists) => {
    const { exchange, login } = freshDemo(SURROUNDINGS);
    let writes = 0;
    const ending: Exchange = (request) => {
      if (request.method !== "PUT" || ++writes <= lists) return exchange(request);
      const body = JSON.stringify(status === 401 ? { error: true, code: 410, message: "Log in" } : { error: true });
      return Promise.resolve({ status: status === 503 ? 429 : status, headers: JSON_TYPE, body });
    };
    const ran = await bt(line, { exchange: ending, login, env: { HOME: freshFolder() } });
    const results = ran.out
      .split("\n")
      .slice(0, -1)
      .map((row) => row.split("\t")[1]);
    const sent = 20 * lists;
    expect([ran.code, results.slice(0, sent), results.slice(40)]).toEqual([
      code,
      Array(sent).fill("applied"),
      Array(5).fill(lists === 1 ? "not tried" : "refused"),
    ]);
    if (lists === 1) expect(ran.err).toMatch(/bt job send \w{26} continues/);
  });
});

const SURROUNDINGS = { now: () => new Date("2026-11-20T12:00:00Z"), random: (n: number) => new Uint8Array(n).fill(7) };
const JSON_TYPE = { "content-type": "application/json" };
const REFUSED = {
  status: 400,
  headers: JSON_TYPE,
  body: JSON.stringify({ error: true, code: 115, message: "You may not" }),
};

describe("output", () => {
  const change = (more: string, ids: readonly number[] = [44, 45]) =>
    demo()(`bug update ${ids.join(" ")} --whiteboard seen ${more}`, { env: { HOME: freshFolder() } });

  test.each([[[44]], [[44, 45]], [VISIBLE.slice(0, 24)]])("of %j for programs", async (ids) => {
    const yes = (more: string) => change(`--yes ${more}`, ids);
    expect((await yes("--format csv")).out).toBe(`id,result\r\n${ids.map((id) => `${id},applied\r\n`).join("")}`);
    expect((await yes("--format ids")).out).toBe(ids.map((id) => `${id}\n`).join(""));
    expect((await yes("--fields id,changes")).out).toContain(`${ids[0]}\twhiteboard: `);
    const rows = JSON.parse((await yes("--json")).out);
    expect(rows).toHaveLength(ids.length);
    expect(rows[0]).toMatchObject({
      id: ids[0],
      result: "applied",
      changes: { whiteboard: {} },
      job: expect.any(String),
    });
  });

  test("on a terminal is a diff of one bug, a line each of several, and how many there were", async () => {
    const run = demo();
    await run("bug update 2 --priority Low");
    const several = await run("bug update 2 3 4 --priority Low", {
      terminal: true,
      columns: 80,
      env: { HOME: freshFolder() },
    });
    expect(several.out.split("\n").map((row) => row.slice(0, 21))).toMatchInlineSnapshot(`
      [
        "#2  unchanged  Search",
        "#3  Priority High → L",
        "#4  Priority Normal →",
        "",
      ]
    `);
    expect(several.err).toMatch(/2 applied, 1 unchanged\n.*undo: bt bug undo --job \w{26}\n/s);
    const one = await run("bug update 20 --priority High", { terminal: true });
    expect(one.out).toContain("\n  Priority  Normal → High\n");
    expect((await run("bug update 20 --priority Low --format table")).out).toContain("Priority  High → Low");
  });

  test("over 20 bugs are confirmed first", async () => {
    const ids = VISIBLE.slice(0, 21);
    const held = await change("", ids);
    expect([held.code, held.out, updates(held)]).toEqual([13, "", []]);
    const terminal = { terminal: true, answers: ["n"] };
    const asked = await demo()(`bug update ${ids.join(" ")} --whiteboard seen`, terminal);
    expect([asked.code, updates(asked)]).toEqual([13, []]);
  });
});

describe("a bug that was modified by others", () => {
  const raced = (other: string) => {
    const { exchange, login } = freshDemo(SURROUNDINGS);
    let isRaced = false;
    return {
      login,
      exchange: (async (request) => {
        if (request.method === "PUT" && !isRaced) {
          isRaced = true;
          await bt(`bug update 44 ${other}`, { exchange, login: "mei@example.org" });
        }
        return exchange(request);
      }) satisfies Exchange,
    };
  };

  test.each([
    ["--priority Low", "--priority High", 0],
    ["--priority Low --if-unchanged", "--priority High", 11],
    ["--add-whiteboard z", "--whiteboard other", 0],
    ["--add-whiteboard z --if-unchanged", "--whiteboard other", 11],
    ["--field cf_devices=+phone", "--field cf_devices=camera", 0],
    ["--priority Low", "--severity major", 0, ""],
  ])(
    "%s over %s is reported with both values, and nothing more is sent",
    async (flags, other, code, said = "overwr") => {
      const ran = await bt(`bug update 44 ${flags}`, raced(other));
      expect([ran.code, updates(ran).length]).toEqual([code, 1]);
      expect(ran.err).toContain(said);
      if (said === "") expect(ran.err).toBe("");
    },
  );

  test.each(["--unchanged-since 2026-11-01", "--unchanged-since 2026-11-20"])("%s", async (flag) => {
    const ran = await demo()(`bug update 44 --priority Low ${flag}`);
    expect([ran.code, updates(ran).length]).toEqual(flag.endsWith("01") ? [11, 0] : [0, 1]);
  });
});
