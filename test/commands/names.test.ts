import { expect, test } from "vitest";
import type { Exchange } from "../../src/wire/exchange.ts";
import { asked, bt } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { demo } from "./demo.ts";

const surroundings = { now: () => new Date("2026-11-20T12:00:00Z"), random: (count: number) => new Uint8Array(count) };

/** A demo tracker that counts wrong where comments are asked for by their ids. */
function miscounting(): Exchange {
  const { exchange } = freshDemo({ ...surroundings });
  return async (request) => {
    const reply = await exchange(request);
    const isById = request.path.startsWith("/rest/bug/comment/");
    return isById ? { ...reply, body: reply.body.replace(/"count":\d+/g, '"count":12') } : reply;
  };
}

const ALIASES = [
  "2024-roadmap",
  "12a",
  "x=y",
  "it's",
  "x/97",
  "p%22",
  "ü-35",
  "-dash",
  "..",
  "#x",
  "a;b",
  "1?x=1",
  "x#3",
];

/** Aliases that are a segment of a path as they are. */
const PATH_ALIASES: ReadonlySet<string> = new Set(["2024-roadmap", "12a", "x=y", "it's", "-dash", "a;b"]);

/** A demo tracker whose bug 44 has an alias, which the interface takes as it is. */
async function aliased(alias: string) {
  const bt = demo();
  const body = JSON.stringify({ ids: [44], alias: { set: [alias] } });
  expect((await bt("api PUT /bug/44 --input -", { stdin: body })).code).toBe(0);
  return bt;
}

test.each(ALIASES)("the alias %j names its bug in every verb, in a path only where one can hold it", async (alias) => {
  const bt = await aliased(alias);
  const named = alias.includes("'") ? "-" : `-- '${alias}'`;
  const lines = [
    ["bug get --fields id", "44\n"],
    ["bug history --json", expect.stringMatching(/^\[\{"id":44,/)],
    ["comment list --json", expect.stringContaining('"bug_id":44')],
    ["comment add -m text", expect.stringMatching(/^\d+\n$/)],
    ["bug update --priority Highest", expect.stringContaining("Highest")],
    ["bug get --fields priority", "Highest\n"],
  ] as const;
  for (const [line, out] of lines) {
    const ran = await bt(`${line} ${named}`, { stdin: alias });
    expect({ line, code: ran.code, out: ran.out }).toEqual({ line, code: 0, out });
    const segment = PATH_ALIASES.has(alias) ? encodeURIComponent(alias) : "44";
    for (const { path } of ran.requests) expect(path.replace(segment, "44")).toMatch(/^\/rest\/[\w/.]*$/);
    const inPath = ran.requests.some(({ path }) => path.includes(encodeURIComponent(alias)));
    expect({ line, inPath }).toEqual({ line, inPath: PATH_ALIASES.has(alias) });
  }
});

test("a bulk update with an unknown bug writes nothing and exits as missing", async () => {
  const bt = demo();
  const stdin = Array.from({ length: 30 }, (_, at) => String(at + 1)).join("\n");
  const ran = await bt("bug update - raodmap --priority Highest --yes", { stdin });
  expect(ran).toMatchObject({ code: 5, out: "", err: expect.stringContaining("raodmap: 'raodmap' is not a valid") });
  expect(ran.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("stdin with an invalid bug is rejected with the line number", async () => {
  const bt = demo();
  const ran = await bt("bug get -", { stdin: "12\n13, 14\n\n15 -16\n" });
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringContaining('line 4 of stdin: invalid bug "-16"'),
  });
  expect(ran.requests).toEqual([]);
});

test.each(["44\tCONFIRMED\tImport stops\n45\tNEW\tCrash\n", "44\timport\n"])(
  "lines of a list in place of bugs are rejected as such: %j",
  async (stdin) => {
    expect(await demo()("bug get -", { stdin })).toMatchObject({
      code: 2,
      err: "bt: line 1 of stdin: expected bugs, got several columns\nhint: add --format ids to the search, or cut -f1\n",
      requests: [],
    });
  },
);

test("stdin may separate ids by tabs", async () => {
  expect((await demo()("bug get - --format ids", { stdin: "12\t13\n" })).out).toBe("12\n13\n");
});

test.each(["bug get -", "bug history -", "comment list -", "bug update - --priority High"])(
  "%s reports the line of a bug that is unknown to the tracker",
  async (line) => {
    const { err } = await demo()(line, { stdin: "1\n2 nope\n9999\n" });
    expect(err).toContain("nope: line 2 of stdin: 'nope' is not a valid");
    expect(err).toContain("9999: line 3 of stdin: Bug #9999 does not exist.");
    expect((await demo()(line, { stdin: "\nnope\n" })).err).toMatch(/^bt: line 2 of stdin: 'nope' is not/);
  },
);

test("a bug named by id and by alias is shown once, and so is a field", async () => {
  const bt = await aliased("roadmap-44");
  expect((await bt("bug get 44 roadmap-44 --fields id")).out).toBe("44\n");
  expect((await bt("bug history 44 roadmap-44 --json")).out.match(/"id":44/g)).toHaveLength(1);
  expect((await bt("field get 2 short_desc --format ids")).out.trim().split("\n")).toHaveLength(1);
});

test("only ids are fetched if only ids are shown", async () => {
  const bt = await aliased("roadmap-44");
  const ran = await bt("bug get - --format ids", { stdin: "12 13" });
  expect(ran.out).toBe("12\n13\n");
  expect(asked(ran)).toEqual(["GET /rest/bug/12?ids=13&include_fields=id"]);
  expect(asked(await bt("bug get roadmap-44 --format ids"))).toEqual([
    "GET /rest/bug/roadmap-44?include_fields=id,alias",
  ]);
});

test("a comment is named by bug and number", async () => {
  const bt = await aliased("x#3");
  await bt("comment add 44 -m text");
  const list = JSON.parse((await bt("comment list 44 --json")).out) as { id: number; count: number }[];
  const [last] = list.slice(-1);
  expect(last?.count).toBeGreaterThan(0);
  const count = last?.count;
  const page = `show_bug.cgi?id=44#c${count}`;
  const byNumber = [`44.${count}`, `44#${count}`, `44#c${count}`, `#44.${count}`, `x#3#${count}`, `x#3.${count}`, page];
  for (const name of [...byNumber, String(last?.id), `c:${last?.id}`]) {
    expect(JSON.parse((await bt(`comment get ${name} --json`)).out)).toEqual([last]);
  }
  for (const name of [`44.${count}`, page, `c:${last?.id}`, String(count), `#${count}`]) {
    const isAlone = /^#?\d+$/.test(name); // a number means a comment only where the bug is known
    if (!isAlone) expect(await bt(`tag update ${name} --add spam`)).toMatchObject({ code: 0, out: "spam\n" });
    const privacy = isAlone ? `44.${count}` : name; // a number alone is an id
    expect(await bt(`bug update 44 --comment-is-private ${privacy}=yes`)).toMatchObject({ code: 0 });
    const reply = await bt(`comment add 44 --reply ${name} -m yes --dry-run`);
    expect(reply.err).toContain(`from comment #${count})\\n> text`);
  }
});

test("the page of a comment names it, on its own tracker only", async () => {
  const bt = demo();
  const around = { address: "https://bugs.example.org" };
  const page = "https://bugs.example.org/show_bug.cgi?id=12#c1";
  const [shown] = JSON.parse((await bt(`comment get ${page} --json`, around)).out) as [{ count: number }];
  expect(shown).toMatchObject({ bug_id: 12, count: 1 });
  expect(await bt(`comment add 12 --reply ${page} -m yes --dry-run`, around)).toMatchObject({ code: 0 });
  expect(await bt("comment get https://other.example.org/show_bug.cgi?id=12#c1", around)).toMatchObject({ code: 2 });
});

test("a comment in place of a bug is missing, with the command that shows it", async () => {
  const bt = demo();
  for (const name of ["44#3", "44#c3", "44.3"]) {
    expect(await bt(`bug get ${name}`)).toMatchObject({
      code: 5,
      err: expect.stringContaining("bt comment get 44.3 shows comment 3 on bug 44"),
    });
  }
});

test.each([
  ["bug update 44 priority=High --severity minor", "a field has a flag: --priority High"],
  ["bug close 44 WONTFIX", "a status or resolution has a flag: --status, --resolution WONTFIX"],
])("a value in place of a bug is missing, with its flag: %s", async (line, hint) => {
  expect(await demo()(line)).toMatchObject({ code: 5, err: expect.stringContaining(`hint: ${hint}\n`) });
});

test("a new comment is named by its id where the comments of its bug cannot be read", async () => {
  const { exchange } = freshDemo({ ...surroundings });
  const { code, out } = await bt("comment add 12 -m yes", {
    terminal: true,
    exchange: async (request) =>
      request.path.endsWith("/comment") && request.method === "GET" ? { ...REFUSED } : exchange(request),
  });
  expect(code).toBe(0);
  expect(out).toMatch(/^added comment c:\d+ to bug 12\n$/);
});

const REFUSED = { status: 401, headers: {}, body: '{"error":true,"code":102,"message":"not for you"}' };

test("a terminal names comments by the notation to type", async () => {
  const bt = demo();
  expect((await bt("comment list 12", { terminal: true })).out).toMatch(/^12\.0 .*\n(?:.*\n)+12\.1 /);
  const [first] = JSON.parse((await bt("comment list 12 --json")).out) as [{ id: number }];
  expect((await bt(`comment get ${first.id}`, { terminal: true })).out).toMatch(/^12\.0 /);
  expect((await bt("comment add 12 -m yes", { terminal: true })).out).toBe("added comment 12.2\n");
  expect((await bt("tag update 12.1 --add spam", { terminal: true })).out).toBe("comment 12.1  spam\n");
});

test("an unknown comment number, or one of another bug, is missing or rejected", async () => {
  const bt = demo();
  expect(await bt("comment get 44.99")).toMatchObject({
    code: 5,
    err: expect.stringContaining("bug 44 has no visible comment 99"),
  });
  expect(await bt("comment get 44#0 44#99")).toMatchObject({ code: 10 });
  expect(await bt("tag update 44#99 --add spam")).toMatchObject({ code: 5 });
  expect(await bt("bug update 44 --comment-is-private 43#0=yes")).toMatchObject({ code: 2 });
  expect(await bt("comment add 44 --reply 43.0 -m yes")).toMatchObject({ code: 2 });
  const [other] = JSON.parse((await bt("comment list 43 --json")).out) as [{ id: number }];
  expect(await bt(`comment add 44 --reply c:${other.id} -m yes`)).toMatchObject({ code: 5 });
  expect(await bt("bug update 44 --comment-is-private 44#99=yes")).toMatchObject({ code: 5 });
  expect(await bt("bug update 43 44 --comment-is-private 44#0=yes")).toMatchObject({ code: 2 });
  for (const word of ["44.", "c:", "c:0", "c3", "44.x", "44#"]) expect((await bt(`comment get ${word}`)).code).toBe(2);
});

test("comments fetched by id have their number on the bug, whatever the tracker reports", async () => {
  const around = { exchange: miscounting() };
  const bt = demo();
  for (const text of ["one", "two"]) await bt(`comment add 44 -m ${text}`, around);
  const list = JSON.parse((await bt("comment list 44 --json", around)).out) as { id: number; count: number }[];
  const shown = await bt(`comment get ${list.map(({ id }) => id).join(" ")} --fields id,count`, around);
  expect(list).toHaveLength(3);
  expect(shown.out).toBe(list.map(({ id, count }) => `${id}\t${count}\n`).join(""));
});

test("a comment on a bug that is not there is no reason to name the same command", async () => {
  const ran = await demo()("comment get 999.1", { terminal: true });
  expect(ran).toMatchObject({ code: 5, out: "" });
  expect(ran.err).not.toContain("bt comment get");
});

test("a comment named by a bare number is printed with a note, since the number of a bug may have been meant", async () => {
  const bt = demo();
  const [{ id, bug_id }] = JSON.parse((await bt("comment get 44.0 --json")).out);
  const plain = await bt(`comment get ${id} --json`);
  expect([plain.code, plain.err]).toEqual([
    0,
    `comment ${id} is on bug ${bug_id}; for bug ${id}'s description: ${id}.0\n`,
  ]);
  expect(await bt(`comment get c:${id} --json`)).toMatchObject({ code: 0, err: "", out: plain.out });
});
