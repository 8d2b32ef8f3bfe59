import { describe, expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import type { Exchange, Json } from "../../src/wire/exchange.ts";
import { bt } from "../bt.ts";
import { fixedServer, interfaceServer, PEOPLE } from "../servers/interface-server.ts";
import { NETWORK, onInterface, plainFacts } from "./interface.ts";

type Values = Readonly<Record<string, Json>>;

const has = (name: string, value: string) => (bug: Values) => [bug[name] ?? ""].flat().includes(value);
const contains = (name: string, part: string) => (bug: Values) => String(bug[name]).toLowerCase().includes(part);
const isOpen = (bug: Values) => bug["status"] !== "DONE";

/** Criteria, and the bugs that meet them. */
const SEARCHES: readonly (readonly [line: string, meets: (bug: Values & { id: number }) => boolean])[] = [
  ["--status NEW", has("status", "NEW")],
  ["--status new,working", isOpen],
  ["--status @open", isOpen],
  ["is:closed", (bug) => !isOpen(bug)],
  ["--status !DONE", isOpen],
  ["--status NEW is:open", has("status", "NEW")],
  ["--alias case-15,case-30", (bug) => [15, 30].includes(bug.id)],
  ["--assigned-to bo@team.test", has("assigned_to", "bo@team.test")],
  ["--assigned-to @me", has("assigned_to", PEOPLE[0])],
  ["'assignee ~ bo@'", has("assigned_to", "bo@team.test")],
  ["--creator cy@team.test", has("creator", "cy@team.test")],
  ["--qa-contact bo@team.test", has("qa_contact", "bo@team.test")],
  ["--component Bulb --product Lamp", has("component", "Bulb")],
  ["--product Lamp,Clock", () => true],
  ["--id 3,4", (bug) => [3, 4].includes(bug.id)],
  ["--id 10..20", ({ id }) => id >= 10 && id <= 20],
  ["--creation-time 2026-05-01T00:40Z", (bug) => bug.id >= 40],
  ["'created < 2026-05-01T00:05Z'", (bug) => bug.id < 5],
  ["--last-change-time 2026-05-01T00:40Z", (bug) => bug.id >= 40],
  ["--op-sys Linux", has("op_sys", "Linux")],
  ["--platform Desk", has("platform", "Desk")],
  ["--priority '>=Middle'", (bug) => bug["priority"] !== "Low"],
  ["--severity large", has("severity", "large")],
  ["--resolution FIXED", has("resolution", "FIXED")],
  ["--resolution ''", has("resolution", "")],
  ["--resolution ---,FIXED", () => true],
  ["--summary 'loud, sharp'", contains("summary", "loud, sharp")],
  ["--summary sharp --summary 'case 4'", (bug) => /sharp|case 4/.test(String(bug["summary"]))],
  ["sharp 'case 4'", (bug) => /sharp.*case 4/.test(String(bug["summary"]))],
  ["'not summary ~ sharp'", (bug) => !contains("summary", "sharp")(bug)],
  ["'summary =~ /case [12]$/'", (bug) => [1, 2].includes(bug.id)],
  ["--tags mine", has("tags", "mine")],
  ["--target-milestone next", has("target_milestone", "next")],
  ["--url http://pages.test/10", has("url", "http://pages.test/10")],
  ["--url http://pages.test/10 --url http://pages.test/20", (bug) => [10, 20].includes(bug.id)],
  ["--version 2", has("version", "2")],
  ["--whiteboard later", contains("whiteboard", "later")],
  ["--whiteboard '[later] perhaps'", contains("whiteboard", "later")],
  ["'whiteboard is empty'", has("whiteboard", "")],
  ["--quicksearch sharp", contains("summary", "sharp")],
  ["--quicksearch sharp --status NEW", (bug) => contains("summary", "sharp")(bug) && has("status", "NEW")(bug)],
  ["--keywords loud", has("keywords", "loud")],
  ["--cc cy@team.test", has("cc", "cy@team.test")],
  ["'not cc = cy@team.test'", (bug) => !has("cc", "cy@team.test")(bug)],
  ["--depends-on 8", (bug) => bug.id === 9],
  ["--blocks 9", (bug) => bug.id === 8],
  ["cf_room=hall", has("cf_room", "hall")],
  ["'severity = large or (priority = Top and op_sys = Linux)'", (bug) => bug.id % 6 === 0 || bug.id % 3 === 0],
  ["--param bug_status=NEW --param product=Lamp", (bug) => has("status", "NEW")(bug) && has("product", "Lamp")(bug)],
  ["--param bug_status=NEW --keywords loud", (bug) => has("status", "NEW")(bug) && has("keywords", "loud")(bug)],
  ["--from-url 'bug_status=new&product=Lamp'", (bug) => has("status", "NEW")(bug) && has("product", "Lamp")(bug)],
  ["--from-url 'buglist.cgi?bug_status=__open__&summary=case'", isOpen],
  ["--from-url 'resolution=---&list_id=7'", has("resolution", "")],
  ["--from-url 'resolution=---&resolution=FIXED&bug_id=3,4'", (bug) => [3, 4].includes(bug.id)],
  ["--from-url 'reporter=cy@team.test&bug_status=__all__'", has("creator", "cy@team.test")],
  ["--from-url 'creation_time=2026-05-01T00:40:00Z'", (bug) => bug.id >= 40],
  [
    "--from-url 'quicksearch=sharp&priority=low'",
    (bug) => contains("summary", "sharp")(bug) && has("priority", "Low")(bug),
  ],
  ["--from-url 'alias=case-15,case-30'", (bug) => [15, 30].includes(bug.id)],
  ["'assigned_to = @reporter'", (bug) => bug["assigned_to"] === bug["creator"]],
  ["'assignee_name ~ bo@'", has("assigned_to", "bo@team.test")],
];

/** Numbers that a run printed, one a line. */
function printed(out: string): readonly number[] {
  return out.split("\n").filter(Boolean).map(Number);
}

describe.each([
  ["is new", {}, undefined],
  ["is known to know the interface alone", {}, plainFacts],
  ["returns 20 bugs at most", { maximum: 20 }, undefined],
  ["rejects what it does not know", { isStrict: true }, undefined],
] as const)("a server that %s", (_, options, facts) => {
  test.each(SEARCHES)("bug search %s", async (line, meets) => {
    const ran = await onInterface(`bug search ${line} --format ids`, options, facts ? { facts: facts() } : {});
    const expected = [...ran.bugs.values()].filter(({ id, values }) => meets({ ...values, id })).map(({ id }) => id);
    expect(ran.err).toMatch(expected.length > 0 ? /^$/ : /^note: no bugs match /);
    expect(printed(ran.out)).toEqual(expected.sort((one, other) => other - one));
    // names below "not" are checked first
    if (facts) expect(ran.beyond.filter((sent) => sent !== "GET /rest/user")).toEqual([]);
  });
});

describe("order and size are applied by bt", () => {
  test.each([
    ["--status NEW --limit 2", [45, 42]],
    ["--status NEW --limit 2 --offset 2", [39, 36]],
    ["'id > 0' --sort priority --limit 3", [3, 6, 9]],
    ["'id > 0' --sort priority:desc,id:desc --limit 2", [44, 41]],
    ["'id > 0' --sort id --limit 2", [1, 2]],
    ["'id > 0' --sort severity,-id --limit 2", [42, 36]],
    ["'id > 0' --sort assigned_to,-id --limit 1", [45]],
  ])("bug search %s", async (line, ids) => {
    expect(printed((await onInterface(`bug search ${line} --format ids`)).out)).toEqual(ids);
  });

  test("counts are of all bugs that match", async () => {
    expect((await onInterface("bug search is:open --count", { maximum: 20 })).out).toBe("30\n");
    expect((await onInterface("bug search --keywords loud --by product --json")).out).toBe(
      '[{"product":"Clock","count":11}]\n',
    );
    expect((await onInterface("bug search --all --by severity --json")).out).toBe(
      '[{"severity":"small","count":38},{"severity":"large","count":7}]\n',
    );
  });

  test("an export has all bugs that match", async () => {
    const { out } = await onInterface("bug export --keywords loud --fields id", { maximum: 20 });
    expect(out.split("\n").length).toBe(13);
  });
});

describe("where 45 bugs are too many for a response, and 16 are not", () => {
  /** The server's, without parameters that it ignores. */
  function shortResponses(ignored: readonly string[]): Exchange {
    const { exchange } = interfaceServer({});
    return async (request) => {
      const response = await exchange({ ...request, query: request.query.filter(([name]) => !ignored.includes(name)) });
      const { bugs = [] } = JSON.parse(response.body) as { bugs?: readonly unknown[] };
      if (bugs.length > 16) throw new BtError("reply", "too large", { tooBig: true });
      return response;
    };
  }

  test("a list is read in parts", async () => {
    const { out } = await bt("bug search --all --format ids", { exchange: shortResponses([]), ...NETWORK });
    expect(printed(out)).toEqual(Array.from({ length: 45 }, (_, at) => 45 - at));
  });

  test("it is no result if the server ignores the offset of a part", async () => {
    const facts = plainFacts();
    const ran = await bt("bug search --all --format ids", { exchange: shortResponses(["offset"]), ...NETWORK, facts });
    expect(ran).toMatchObject({ code: 7, out: "" });
    expect(ran.err).toContain('the tracker ignores "offset", so that only the first 16 bugs can be read');
  });
});

describe("a condition that bugs do not show is refused by name, without output", () => {
  test.each([
    ["'status changed since 2020'", "changes of status"],
    ["'comment ~ heard'", "comment"],
    ["fulltext:heard", "fulltext"],
    ["'attacher = bo@team.test or priority = Top'", "attacher"],
    ["is:unread", "last_visit"],
    ["--param f1=keywords --param o1=equals --param v1=loud", "f1=keywords"],
    ["--from-url 'bug_status=NEW&short_desc=sharp'", "short_desc=sharp"],
    ["--from-url 'product=Clock&product_type=notequals'", "product=Clock"],
    ["--from-url 'assigned_to=bo@team.test&chfieldfrom=-1w'", "chfieldfrom=-1w"],
  ])("bug search %s", async (line, name) => {
    const ran = await onInterface(`bug search ${line}`);
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain(name);
  });

  test("@me is refused where the login is unknown", async () => {
    const ran = await onInterface("bug search --assigned-to @me", {}, { login: undefined as never });
    expect(ran).toMatchObject({ code: 4, out: "" });
    expect(ran.err).toContain("bt config set login LOGIN");
  });

  test("an order by what bugs do not show is refused", async () => {
    expect(await onInterface("bug search --all --sort comments")).toMatchObject({ code: 3, out: "" });
  });
});

test("a bug without a field that decides is an error", async () => {
  const { exchange } = interfaceServer();
  const without = async (request: Parameters<typeof exchange>[0]) => {
    const reply = await exchange(request);
    return { ...reply, body: reply.body.replaceAll('"keywords":', '"labels":') };
  };
  const ran = await bt("bug search --keywords loud", { exchange: without, ...NETWORK, facts: plainFacts() });
  expect(ran).toMatchObject({ code: 7, out: "" });
  expect(ran.err).toContain('without "keywords"');
});

describe("a server that answers every search with two bugs, and 404 otherwise", () => {
  const bugs = [
    { id: 7, status: "NEW", summary: "one" },
    { id: 4, status: "NEW", summary: "another" },
  ];

  test.each([
    ["newest first", bugs],
    ["oldest first", bugs.toReversed()],
  ])("%s", async (_, answered) => {
    const ran = await bt("bug search --status NEW --json=id,summary", { exchange: fixedServer(answered), ...NETWORK });
    expect(ran).toMatchObject({
      code: 0,
      err: "note: the tracker does not list its fields: names and values are sent unchecked\n",
    });
    expect(JSON.parse(ran.out)).toEqual([
      { id: 7, summary: "one" },
      { id: 4, summary: "another" },
    ]);
  });
});

describe("what is sent", () => {
  test("--explain shows it", async () => {
    const line = "bug search -a bo@team.test --keywords loud --sort priority --explain";
    const sentTo = async (facts: ReturnType<typeof plainFacts>) =>
      JSON.parse((await onInterface(`${line} --json`, {}, { facts })).out).parameters;
    expect(await sentTo(plainFacts())).toEqual([["assigned_to", "bo@team.test"]]);
  });

  test("rows are tried once; what was learned counts for a day, unless --refresh", async () => {
    const facts = new Map();
    const server = interfaceServer();
    const run = (line: string, now: string = NETWORK.now) =>
      bt(line, { exchange: server.exchange, ...NETWORK, facts, now });
    await run("bug search --status NEW");
    server.beyond.length = 0;
    await run("bug search --status NEW --limit 1");
    expect(server.beyond).toEqual([]);
    await run("bug search --status NEW --limit 1", "2026-05-03T12:00:01Z");
    expect(server.beyond).toContain("f1");
  });

  test("on a terminal, a part of the bugs is called one without their number", async () => {
    const ran = await onInterface("bug search --status NEW --limit 3", {}, { facts: plainFacts(), terminal: true });
    expect([ran.code, ran.err]).toEqual([0, "note: first 3 bugs\n"]);
  });

  test("an empty answer settles nothing, and needs no more", async () => {
    const ran = await onInterface("bug search --status NEW --id 1 --keywords loud");
    expect(ran).toMatchObject({ code: 0, out: "" });
  });
});
