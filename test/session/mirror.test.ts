import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/wire/exchange.ts";
import { bt, btConnected } from "../bt.ts";
import { stoppedClock } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders, MIRRORED, putMirror, type TestMirror } from "../mirrored.ts";

const { now } = stoppedClock();
const LATER = "2026-11-20T12:12:00Z";
const LOGIN = "tomas@example.org";

/** Address of a tracker that does not respond. */
const UNREACHABLE = "http://127.0.0.1:9";

/** The demo as somebody sees it. */
function demo(login = LOGIN): Exchange {
  const { tracker, store } = freshDemo({ now, random: (count) => new Uint8Array(count) });
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  return (request) => tracker(request, { address: "127.0.0.1", userId });
}

type Mirrored = { readonly home: string; readonly exchange: Exchange };

async function mirrored(more: Partial<TestMirror> = {}, from?: Mirrored): Promise<Mirrored> {
  const { home, exchange } = from ?? { home: freshFolder(), exchange: demo() };
  await putMirror(exchange, { home, name: "work", login: LOGIN, now, ...more });
  return { home, exchange };
}

/** Runs a line on the mirror, 12 minutes after its sync. */
function offline({ home }: Mirrored, line: string, env: Readonly<Record<string, string>> = {}) {
  return btConnected(line, { env: { ...homeFolders(home), BT_BASE_URL: "mirror:work", ...env }, now: LATER });
}

const LINES = [
  "bug search is:open --fields id,summary,assigned_to",
  "bug search assignee:@me -o csv",
  "bug search priority>=High --sort priority,id -o json --fields id,priority,flags",
  "bug search --quicksearch 'ALL crash' -o ids",
  "bug search --product Lantern --by component,status",
  "bug search 'summary ~ photo' -o markdown",
  "bug search crash --explain",
  "bug get 49",
  "bug get 12 --fields id,comments",
  "bug history 12 -o ndjson",
  "comment list 12 --json",
  "attachment list 5",
  "bug tree 12",
  "bug blame 49",
  "bug similar 49",
  "field values component --product Lantern",
  "product get Lantern --json",
  "report flow",
  "bug export is:open --as jsonl",
];

test("commands print what they print from the tracker, byte for byte", async () => {
  const work = await mirrored();
  for (const line of LINES) {
    const { exchange } = work;
    const { code, out } = await bt(line, { exchange, now: LATER, login: LOGIN, address: MIRRORED });
    expect([line, await offline(work, line)]).toEqual([line, expect.objectContaining({ code, out })]);
  }
});

test("a card has the address of the bug unless the tracker is known to have no pages", async () => {
  const address = `${MIRRORED}/show_bug.cgi?id=44`;
  for (const [hasPages, has] of [
    [null, true],
    [true, true],
    [false, false],
  ] as const) {
    const { out } = await offline(await mirrored({ facts: { hasPages } }), "bug get 44 -o table");
    expect([hasPages, out.includes(address)]).toEqual([hasPages, has]);
  }
});

test("similar bugs of a product are found in a mirror of it", async () => {
  const work = await mirrored({ facts: { criteria: "product = Lantern", compiled: '[["product","Lantern"]]' } });
  const { code, out } = await bt("bug similar 49", { exchange: work.exchange, now: LATER });
  expect(out).not.toBe("");
  expect(await offline(work, "bug similar 49")).toMatchObject({ code, out });
});

test("the age of what was read is on stderr, and for full text whose words it is", async () => {
  const work = await mirrored();
  expect((await offline(work, "bug search is:open -o ids")).err).toBe("as of 12 min ago\n");
  expect((await offline(work, "bug search 'fulltext:photo' -o ids")).err).toBe(
    "as of 12 min ago\nfull text is searched by the mirror's own index; the tracker's ranking, stop words and word boundaries (show_bug) may differ\n",
  );
  expect((await offline(work, "bug search 'summary ~ nosuch' --fail-empty")).err).toContain("as of 12 min ago\n");
  expect((await offline(work, "bug search --status nosuch --json")).err).not.toContain("as of");
});

test("an incomplete mirror says so, as does one of public bugs, or with bugs that could not be read", async () => {
  const progress = { phase: "open", below: 20, top: 50, done: 61, share: 0.61 } as const;
  const work = await mirrored({ facts: { progress, lastSync: null } });
  expect((await offline(work, "bug search is:open -o ids")).err).toBe("incomplete: open bugs, 61 %\n");
  const home = await mirrored({ facts: { publicOnly: true } });
  expect((await offline(home, "bug search is:open -o ids")).err).toBe("as of 12 min ago, public bugs only\n");
});

test("a mirror that lacks bugs gives no verdict on them, unless --partial accepts that", async () => {
  const progress = { phase: "open", below: 20, top: 50, done: 61, share: 0.61 } as const;
  const refused = (state: string) => ({
    ...{ code: 2, out: "" },
    err: `bt: the mirror work is ${state}
hint: bt mirror sync work completes it; --partial decides by the bugs that it has
`,
  });
  const verdicts = ["bug check summary:okapi", "bug wait 44 is:open --within 1s"];
  const work = await mirrored({ facts: { progress, lastSync: null } });
  for (const line of verdicts) {
    expect([line, await offline(work, line)]).toEqual([line, refused("incomplete: open bugs, 61 %")]);
    expect([line, (await offline(work, `${line} --partial`)).code]).toEqual([line, 0]);
  }
  const begun = await mirrored({ facts: { lastSync: null } });
  expect(await offline(begun, "bug check summary:okapi")).toEqual(refused("incomplete"));
  for (const facts of [{}, { progress: { ...progress, isReread: true } }])
    for (const line of verdicts)
      expect([line, (await offline(await mirrored({ facts }), line)).code]).toEqual([line, 0]);
});

test("writes are refused before anything is read or asked", async () => {
  const work = await mirrored();
  for (const line of [
    "bug update 49 --priority High",
    "comment add 49 -m hello",
    "bug edit 49",
    "bug triage is:open",
  ]) {
    expect(await offline(work, line)).toEqual({
      code: 2,
      out: "",
      err: `bt: the mirror work is read-only\nhint: to change ${MIRRORED}, run the command with --base-url ${MIRRORED}\n`,
    });
  }
  expect((await offline(work, "api -X PUT /rest/bug/49 priority=High")).code).toBe(2);
});

test("commands that need the tracker itself are refused, with the way to it", async () => {
  const work = await mirrored();
  const tracker = { BT_BASE_URL: MIRRORED };
  const refused = (way: string) => ({
    ...{ code: 2, out: "" },
    err: `bt: this command needs the tracker itself\nhint: run it ${way}\n`,
  });
  for (const line of [
    "auth login",
    "auth status",
    "auth logout",
    "mirror sync work",
    "mirror verify work",
    "mirror create new",
    "job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA",
  ]) {
    expect([line, await offline(work, line)]).toEqual([line, refused("with --base-url ADDRESS")]);
    expect(await offline(work, line, { ...tracker, BT_OFFLINE: "1" })).toEqual(refused("with BT_OFFLINE=0"));
  }
  expect(await offline(work, "mirror sync work --offline", tracker)).toEqual(refused("without --offline"));
  expect(await offline(work, "--offline mirror sync work", tracker)).toEqual(refused("without --offline"));
  expect((await offline(work, "mirror sync work --partial", tracker)).err).toContain("unknown flag --partial");
  expect((await offline(work, "mirror sync --help=all")).out).not.toMatch(/--(offline|partial)/);
});

test.each([
  ["--offline", "", "without --offline"],
  ["", "1", "with BT_OFFLINE=0"],
  ["--base-url mirror:work", "", `with --base-url ${MIRRORED}`],
])("what a mirror cannot answer is refused with the way to the tracker: %s%s", async (flags, BT_OFFLINE, way) => {
  const work = await mirrored({ facts: { criteria: "product = Lantern", compiled: '[["product","Lantern"]]' } });
  const env = { BT_BASE_URL: MIRRORED, BT_API_KEY: "k".repeat(40), BT_OFFLINE };
  expect((await offline(work, `api version ${flags}`, env)).err).toContain(`hint: run the command ${way}\n`);
  expect((await offline(work, `bug get 999 ${flags}`, env)).err).toContain(`hint: run the command ${way}\n`);
  expect((await offline(work, `bug search crash ${flags}`, env)).err).toContain(`; ${way}, the tracker is searched\n`);
  expect((await offline(work, `bug edit 49 ${flags}`, env)).err).toContain(
    `hint: to change ${MIRRORED}, run the command ${way}`,
  );
});

test("a mirror that cannot be opened is named where no other is the tracker's", async () => {
  const work = await mirrored();
  const file = `${work.home}/data/bt/mirrors/work.db`;
  const damaged = {
    ...{ code: 12, out: "" },
    err: `bt: cannot open the mirror work at ${file}\n    The file is not a database of bt.\nhint: to fetch it again: bt mirror drop work, then bt mirror create work\n`,
  };
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, "Dear Ada,\n".repeat(1000));
  const env = { BT_BASE_URL: MIRRORED, BT_API_KEY: "k".repeat(40) };
  expect(await offline(work, "bug get 49 --offline", env)).toEqual(damaged);
  expect(await offline(work, "bug get 49")).toEqual(damaged);
  rmSync(`${work.home}/data/bt/mirrors`, { recursive: true });
  writeFileSync(`${work.home}/data/bt/mirrors`, "");
  expect(await offline(work, "bug get 49 --offline", env)).toEqual({
    ...{ code: 12, out: "" },
    err: `bt: cannot read ${work.home}/data/bt/mirrors: not a directory\n`,
  });
});

test("a mirror that others can read is not used, as the credentials file, unless that is allowed", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE } });
  const file = `${work.home}/data/bt/mirrors/work.db`;
  const env = { BT_BASE_URL: UNREACHABLE };
  const refused = (readable: string) => ({
    ...{ code: 13, out: "" },
    err: `bt: ${readable} is not used: it is readable by other users
hint: chmod 600 ${file}*, or --insecure-files to use it anyway
`,
  });
  expect((await offline(work, "bug get 49 -o ids")).code).toBe(0);
  chmodSync(`${file}-wal`, 0o640);
  expect(await offline(work, "bug get 49 -o ids")).toEqual(refused(`${file}-wal`));
  chmodSync(`${file}-wal`, 0o600);
  chmodSync(file, 0o644);
  expect(await offline(work, "bug get 49 -o ids")).toEqual(refused(file));
  expect(await offline(work, "bug get 49 -o ids --offline", env)).toEqual(refused(file));
  expect(await offline(work, "mirror sync work", env)).toEqual(refused(file));
  expect(JSON.parse((await offline(work, "mirror list --json")).out)).toMatchObject([
    { name: "work", state: `${file} is not used: it is readable by other users` },
  ]);
  for (const line of ["bug get 49 -o ids", "bug get 49 -o ids --offline"])
    expect(await offline(work, `${line} --insecure-files`, env)).toMatchObject(
      line.endsWith("--offline") ? { code: 0, out: "49\n" } : { code: 6 },
    );
  expect((await offline(work, "bug similar 49 --retry 0", env)).code).toBe(6);
  expect((await offline(work, "bug get 49 --retry 0", env)).err).not.toContain("--offline");
  expect((await offline(work, "mirror drop work --yes")).code).toBe(0);
});

test.each([
  ["is:unread", "you visited a bug"],
  ["idle > 4w", "activity on all bugs"],
  ["assignee:@group.staff", "members of the group"],
  ['attachment_data ~ "x"', "contents of attachments"],
  ["summary =~ /\\d+/", "regular expressions differ"],
  ["comment =~ /a.b/", "line break"],
  ["status changed by nobody@elsewhere.example", "the user is not in the mirror"],
])("%s is refused with the reason", async (condition, reason) => {
  const work = await mirrored({ facts: { attachments: "none" } });
  const { code, out, err } = await offline(work, `bug search --where '${condition.replaceAll("'", '"')}'`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(reason);
});

test.each(["user search ada", "tag search form", "group list", "api /rest/version", "api /rest/nosuch"])(
  "%s is refused: a mirror does not have all of it",
  async (line) => {
    expect(await offline(await mirrored(), line)).toMatchObject({ code: 2, out: "" });
  },
);

test("a bug that the mirror does not hold may be on the tracker", async () => {
  const work = await mirrored();
  const { code, err } = await offline(work, "bug get 99999");
  expect(code).toBe(5);
  expect(err).toContain(`bug #99999 is not in the mirror work of ${MIRRORED}`);
  const several = await offline(work, "bug get 1 99999 nosuch 99998 49 -o ids");
  expect(several).toMatchObject({ code: 10, out: "1\n49\n" });
  expect(several.err).toContain("'nosuch' is not in the mirror work");
});

const NAMING = [
  ...["bug get 3", "bug get nosuch", "comment list 3", "comment get 3.0", "comment get 99999", "bug history 3"],
  ...["attachment list 3", "attachment get 99999", "bug blame 3", "bug tree 3", "bug wait 3 --within 1s"],
  ...["bug similar 3", "bug clone 3 --dry-run", "api /rest/bug/3", "api /rest/bug/3/comment", "bug check id:3"],
  ...["bug export id:3", "bug export 3", "bug search --id 3", "api /rest/bug -f id=3"],
];

test("whether a bug that is not in a mirror of a part exists is not known, in every command that names bugs", async () => {
  const work = await mirrored({ facts: { criteria: "product = Lantern" }, holds: (id) => id > 20 });
  for (const line of NAMING) {
    const { code, out, err } = await offline(work, line);
    expect([line, code, out]).toEqual([line, 2, ""]);
    expect(err).toMatch(/mirror: product = Lantern\nhint: .*with --base-url https:\/\/bugs.example.org/);
  }
  expect(await offline(work, "bug get 3 --json")).toEqual({
    ...{ code: 2, out: "" },
    err: `${JSON.stringify({
      error: {
        ...{ kind: "usage", exit_code: 2 },
        message: `bug #3 is not in the mirror work, which has only a part of ${MIRRORED}`,
        hint: `run the command with --base-url ${MIRRORED}`,
        details: ["mirror: product = Lantern"],
      },
    })}\n`,
  });
  const env = { BT_BASE_URL: MIRRORED, BT_API_KEY: "k".repeat(40) };
  for (const line of ["bug update 3 --priority High", "bug close 3", "bug dup 44 3", "comment add 3 -m Hello"])
    expect([line, await offline(work, `${line} --offline`, env)]).toEqual([line, expect.objectContaining({ code: 2 })]);
  expect((await offline(work, "job list", env)).out).toBe("");
});

test("of many bugs, those that are not in a mirror of a part are named with that, and the others shown", async () => {
  const work = await mirrored({ facts: { criteria: "product = Lantern" }, holds: (id) => id > 20 });
  const others = Array.from({ length: 60 }, (_, at) => at + 100).join(" ");
  const { code, out, err } = await offline(work, `bug get 30 ${others} -o ids`);
  expect([code, out]).toEqual([10, "30\n"]);
  expect(err.match(/bug #1\d\d is not in the mirror/g)).toHaveLength(60);
  expect((await offline(work, `bug get ${others} -o ids`)).code).toBe(2);
  expect(await offline(work, "comment get 3.0 30.0 -o ids --fields count")).toMatchObject({ code: 10, out: "0\n" });
});

test.each([
  [{ publicOnly: true }, "public bugs only"],
  [{ progress: { phase: "open", below: 20, top: 50, done: 61, share: 0.61 } }, "incomplete: open bugs, 61 %"],
] as const)("a mirror without criteria that lacks bugs does not report one as missing: %j", async (facts, part) => {
  const { code, err } = await offline(await mirrored({ facts }), "bug get 99999");
  expect([code, err]).toEqual([2, expect.stringContaining(`    mirror: ${part}\n`)]);
});

test("a bug on which a mirrored one depends is shown, but has no comments in the mirror, and its tree may go on", async () => {
  const home = freshFolder();
  const run = (line: string, BT_BASE_URL = "mirror:work") =>
    btConnected(line, { env: { ...homeFolders(home), BT_BASE_URL } });
  expect((await run("mirror create work id:8", "demo:")).code).toBe(0);
  expect(await run("bug get 21 -o ids")).toMatchObject({ code: 0, out: "21\n" });
  for (const line of ["comment list 21", "bug history 21", "attachment list 21", "bug blame 21"])
    expect([line, await run(line)]).toEqual([
      line,
      {
        ...{ code: 2, out: "" },
        err: `bt: bug #21 is in the mirror work without its comments, history and attachments
    mirror: id = 8
hint: run the command with --base-url demo:
`,
      },
    ]);
  expect((await run("bug tree 8 --depth 1 -o tsv --fields id")).out).toBe("8\n21\n");
  expect(await run("bug tree 8")).toMatchObject({
    code: 2,
    err: expect.stringContaining("bug #5 is not in the mirror"),
  });
});

test("what is not provably inside the criteria is refused, and answered from what is there with --partial", async () => {
  const work = await mirrored({
    facts: { criteria: "product = Lantern" },
    holds: (id) => id > 20,
  });
  expect(await offline(work, "bug search is:open -o ids")).toEqual({
    code: 2,
    out: "",
    err: `bt: the mirror work may lack bugs that this search finds
    search: status in UNCONFIRMED,CONFIRMED,IN_PROGRESS
    mirror: product = Lantern
hint: --partial searches only its bugs; with --base-url https://bugs.example.org, the tracker is searched
`,
  });
  expect((await offline(work, "bug search product:Lantern is:open -o ids")).code).toBe(0);
  expect((await offline(work, "bug search id:30,40 -o ids")).code).toBe(0);
  expect((await offline(work, "bug search id:30,3 -o ids")).code).toBe(2);
  expect((await offline(work, "bug get 30 3 4 5 -o ids")).out).toBe("30\n");
  const partial = await offline(work, "bug search is:open -o ids --partial");
  expect(partial.code).toBe(0);
  expect(partial.err).toBe("as of 12 min ago, only product = Lantern\n");
});

test("--offline and BT_OFFLINE take the mirror of the tracker and its login", async () => {
  const work = await mirrored({ login: null });
  const env = { BT_BASE_URL: MIRRORED };
  expect(await offline(work, "bug search is:open --count --offline", env)).toMatchObject({ code: 0 });
  expect(await offline(work, "bug search is:open --count", { ...env, BT_OFFLINE: "1" })).toMatchObject({ code: 0 });
  expect(await offline(work, "bug search is:open --count --offline", { BT_BASE_URL: "demo:" })).toMatchObject({
    code: 0,
    err: "",
  });
  expect(await offline(work, "bug search is:open --offline", { BT_BASE_URL: "https://other.example" })).toMatchObject({
    code: 2,
    err: "bt: no mirror of https://other.example\nhint: to create one while online: bt mirror create NAME\n",
  });
  await mirrored({ login: null, name: "spare" }, work);
  expect(await offline(work, "bug search is:open --offline", env)).toMatchObject({
    code: 2,
    err: `bt: several mirrors of ${MIRRORED}\nhint: choose one: --base-url mirror:spare or mirror:work\n`,
  });
});

test("a key of unknown login takes a mirror of a login, and no key none", async () => {
  const work = await mirrored();
  const env = { BT_BASE_URL: MIRRORED, BT_API_KEY: "k".repeat(40) };
  expect(await offline(work, "bug search is:open --count --offline", env)).toMatchObject({
    code: 0,
    err: `as of 12 min ago, as seen by ${LOGIN}, which may not be the login of your API key\n`,
  });
  expect(await offline(work, "bug search is:open --offline", { BT_BASE_URL: MIRRORED })).toMatchObject({
    code: 2,
    err: `bt: no mirror of ${MIRRORED}
hint: to create one while online: bt mirror create NAME; of another login: --base-url mirror:work (${LOGIN})
`,
  });
  await mirrored({ login: "mei@example.org", name: "spare" }, work);
  expect((await offline(work, "bug search is:open --offline", env)).err).toContain(
    `hint: choose one: --base-url mirror:spare (mei@example.org) or mirror:work (${LOGIN})\n`,
  );
});

test("a mirror that does not exist is named, with those that do", async () => {
  const work = await mirrored();
  expect(await offline(work, "bug search is:open", { BT_BASE_URL: "mirror:wrok" })).toMatchObject({
    code: 2,
    err: 'bt: no mirror "wrok"\nhint: mirrors: work\n',
  });
  expect((await offline(work, "bug search is:open", { BT_BASE_URL: "mirror:../x" })).code).toBe(2);
  expect((await offline(work, "admin export", { BT_BASE_URL: "mirror:work" })).code).toBe(2);
});

test("the error of an unreachable tracker names the mirror that covers the request", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE } });
  const env = { BT_BASE_URL: UNREACHABLE };
  const failed = await offline(work, "bug search is:open --retry 0", env);
  expect(failed.code).toBe(6);
  expect(failed.err).toContain("--offline reads from the mirror work, as of 12 min ago");
  expect((await offline(work, "bug get 99999 --retry 0", env)).err).not.toContain("--offline reads");
});

test("similar bugs and reports come from a recent mirror of the whole tracker, without a request", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE } });
  const env = { BT_BASE_URL: UNREACHABLE };
  const similar = await offline(work, "bug similar 49 -o ids", env);
  expect(similar).toMatchObject({ code: 0, err: "as of 12 min ago\n" });
  expect((await offline(work, "report flow --weeks 1", env)).code).toBe(0);
  expect((await offline(work, "bug similar 49 --refresh --retry 0", env)).code).toBe(6);
  expect((await offline(work, "bug similar 99999 --retry 0", env)).code).toBe(6);
  const old = await mirrored({ login: null, facts: { tracker: UNREACHABLE, lastSync: "2026-11-18T12:00:00Z" } });
  expect((await offline(old, "bug similar 49 --retry 0", env)).code).toBe(6);
  const part = await mirrored({ login: null, facts: { tracker: UNREACHABLE, criteria: "product = Lantern" } });
  expect((await offline(part, "bug similar 49 --retry 0", env)).code).toBe(6);
});

test("completion takes values, bugs and people from a mirror", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE, criteria: "product = Lantern" } });
  const env = { BT_BASE_URL: UNREACHABLE };
  expect((await offline(work, "complete -- bug search --priority H", env)).out).toBe("Highest\t\nHigh\t\n");
  expect((await offline(work, "complete -- bug get 4", env)).out).toContain("49\tMemory grows by the size of");
  expect(await offline(work, "complete -- bug search -a to", env)).toEqual({
    code: 0,
    out: "tomas@example.org\t\n",
    err: "",
  });
});

test("a mirror from the future shows its time instead of an age", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE, lastSync: "2027-01-01T00:00:00Z" } });
  expect((await offline(work, "bug search is:open --count")).err).toBe(
    "as of 2027-01-01T00:00:00Z, which is later than this machine's clock\n",
  );
  expect((await offline(work, "report flow --retry 0", { BT_BASE_URL: UNREACHABLE })).code).toBe(6);
});
