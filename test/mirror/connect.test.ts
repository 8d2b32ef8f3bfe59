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
  "bug search assignee:@me --format csv",
  "bug search priority>=High --sort priority,id --format json --fields id,priority,flags",
  "bug search --quicksearch 'ALL crash' --format ids",
  "bug search --product Lantern --by component,status",
  "bug search 'summary ~ photo' --format markdown",
  "bug get 49",
  "bug get 12 --fields id,comments",
  "bug history 12 --format ndjson",
  "comment list 12 --json",
  "attachment list 5",
  "bug tree 12",
  "bug blame 49",
  "bug similar 49",
  "field values component --product Lantern",
  "product get Lantern --json",
  "bug export is:open --format ndjson",
];

test("commands print what they print from the tracker, byte for byte", async () => {
  const work = await mirrored();
  for (const line of LINES) {
    const { exchange } = work;
    const { code, out } = await bt(line, { exchange, now: LATER, login: LOGIN, address: MIRRORED });
    expect([line, await offline(work, line)]).toEqual([line, expect.objectContaining({ code, out })]);
  }
});

test("--explain has the request of the tracker, and that the mirror is read", async () => {
  const work = await mirrored();
  const { out } = await bt("bug search crash --explain", { exchange: work.exchange, login: LOGIN, address: MIRRORED });
  expect(await offline(work, "bug search crash --explain")).toMatchObject({
    code: 0,
    out: `${out}note           a mirror is read: the request is the one that the tracker would get\n`,
  });
});

test("users have the names and ids of the tracker, and nothing that a mirror does not know", async () => {
  const work = await mirrored({ holds: (id) => id > 20 });
  const [mei] = JSON.parse((await offline(work, "user get mei@example.org --json")).out);
  expect(mei).toEqual({ id: 3, name: "mei@example.org", email: "mei@example.org", real_name: "Mei Tanaka" });
  expect((await offline(work, "user get 3 --format ids")).out).toBe("3\n");
  expect(await offline(work, "user get 4711")).toMatchObject({
    code: 5,
    err: expect.stringContaining("bt: user 4711 is not in the mirror work\n"),
  });
  expect(await offline(work, "user search mei --group staff")).toMatchObject({
    code: 2,
    err: expect.stringContaining("the members of the group are not in the mirror"),
  });
});

test("--saved takes the searches that the last sync received", async () => {
  const searches = [{ id: 1, name: "Mine", query: "bug_status=CONFIRMED&product=Lantern" }];
  const work = await mirrored({ facts: { savedSearches: searches } });
  const found = (await offline(work, "bug search -p Lantern -s CONFIRMED --format ids")).out;
  expect((await offline(work, "bug search --saved mine --format ids")).out).toBe(found);
  expect(found).toContain("49\n");
  expect((await offline(await mirrored(), "bug search --saved mine")).err).toContain("no saved searches are reported");
});

test("a card has the address of the bug unless the tracker is known to have no pages", async () => {
  const address = `${MIRRORED}/show_bug.cgi?id=44`;
  for (const [hasPages, has] of [
    [null, true],
    [true, true],
    [false, false],
  ] as const) {
    const { out } = await offline(await mirrored({ facts: { hasPages } }), "bug get 44 --format table");
    expect([hasPages, out.includes(address)]).toEqual([hasPages, has]);
  }
});

test("a mirror of a product answers every read for it, with a note", async () => {
  const work = await mirrored({ facts: { products: ["Lantern"] } });
  const note = `mirror work: only Lantern; as of 12:00; as seen by ${LOGIN}\n`;
  const { code, out } = await bt("bug similar 49", { exchange: work.exchange, now: LATER });
  expect(out).not.toBe("");
  expect(await offline(work, "bug similar 49")).toEqual({ code, out, err: note });
  for (const line of ["bug search is:open", "tag search form", "bug blame 49"])
    expect([line, await offline(work, line)]).toEqual([line, expect.objectContaining({ code: 0, err: note })]);
  expect(await offline(work, "todo")).toMatchObject({ code: 0, err: expect.stringContaining(note) });
});

test("the age of what was read is on stderr, and for full text whose words it is", async () => {
  const work = await mirrored();
  expect((await offline(work, "bug search is:open --format ids")).err).toBe(
    `mirror work: as of 12:00; as seen by ${LOGIN}\n`,
  );
  expect((await offline(work, "bug search 'fulltext:photo' --format ids")).err).toBe(
    `mirror work: as of 12:00; as seen by ${LOGIN}\nfull text is searched by the mirror's own index; the tracker's ranking, stop words and word boundaries (show_bug) may differ\n`,
  );
  expect((await offline(work, "bug search 'summary ~ nosuch' --fail-empty")).err).toContain(
    `mirror work: as of 12:00; as seen by ${LOGIN}\n`,
  );
  expect((await offline(work, "bug search --status nosuch --json")).err).not.toContain("as of");
});

test("the age is in the zone of printed times, with the day if that is not today's", async () => {
  const work = await mirrored();
  const line = "bug search is:open --format ids";
  const around = { env: { ...homeFolders(work.home), BT_BASE_URL: "mirror:work" }, now: "2026-11-21T00:00:00Z" };
  expect((await btConnected(line, around)).err).toContain("as of 2026-11-20 12:00;");
  await btConnected("config set timezone Asia/Tokyo", around);
  expect((await btConnected(line, around)).err).toContain("as of 2026-11-20 21:00;");
  expect((await offline(work, line)).err).toContain("as of 21:00;");
  expect((await offline(work, `${line} --utc`)).err).toContain("as of 12:00;");
});

test("an incomplete mirror says so, as does one of public bugs", async () => {
  const progress = { phase: "open", below: 20, top: 50, done: 61, share: 0.61 } as const;
  const work = await mirrored({ facts: { progress, lastSync: null } });
  expect((await offline(work, "bug search is:open --format ids")).err).toBe(
    `mirror work: incomplete: open bugs, 61 %; as seen by ${LOGIN}\n`,
  );
  const home = await mirrored({ facts: { publicOnly: true } });
  expect((await offline(home, "bug search is:open --format ids")).err).toBe(
    `mirror work: only public bugs; as of 12:00; as seen by ${LOGIN}\n`,
  );
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
  expect(await offline(work, "api -X PUT /rest/bug/49 -f priority=High")).toMatchObject({
    code: 2,
    err: expect.stringContaining("the mirror work is read-only"),
  });
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
    "mirror create new",
    "job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA",
    "bug watch is:open --once",
    "bug wait 49",
  ]) {
    expect([line, await offline(work, line)]).toEqual([line, refused("with --base-url ADDRESS")]);
    expect(await offline(work, line, { ...tracker, BT_OFFLINE: "1" })).toEqual(refused("with BT_OFFLINE=0"));
  }
  expect(await offline(work, "mirror sync work --offline", tracker)).toEqual(refused("without --offline"));
  expect(await offline(work, "--offline mirror sync work", tracker)).toEqual(refused("without --offline"));
  expect((await offline(work, "mirror sync --help=all")).out).not.toContain("--offline");
});

test.each([
  ["--offline", "", "without --offline"],
  ["", "1", "with BT_OFFLINE=0"],
  ["--base-url mirror:work", "", `with --base-url ${MIRRORED}`],
])("what a mirror cannot answer is refused with the way to the tracker: %s%s", async (flags, BT_OFFLINE, way) => {
  const work = await mirrored({ login: null });
  const env = { BT_BASE_URL: MIRRORED, BT_OFFLINE };
  expect((await offline(work, `api version ${flags}`, env)).err).toContain(`hint: run the command ${way}\n`);
  expect((await offline(work, `bug search is:unread ${flags}`, env)).err).toContain(`hint: run the command ${way}\n`);
  expect((await offline(work, `bug edit 49 ${flags}`, env)).err).toContain(
    `hint: to change ${MIRRORED}, run the command ${way}`,
  );
});

test("an unknown user is one that the bugs of the mirror do not have", async () => {
  const work = await mirrored();
  const { code, err } = await offline(work, "bug search assignee:nobody@example.net");
  expect([code, err]).toEqual([
    2,
    `mirror work: as of 12:00; as seen by ${LOGIN}
users are those that the bugs of the mirror have, without their groups
bt: unknown user "nobody@example.net"
hint: bt user search '*' lists users
`,
  ]);
});

test("a product that is not in the mirror is refused: it would have no bugs", async () => {
  const work = await mirrored({ login: null, facts: { products: ["Lantern"] } });
  const env = { BT_BASE_URL: MIRRORED };
  const outside = "bt: Harbor is not in the mirror work: only Lantern\nhint: run the command without --offline\n";
  for (const line of [
    ...["-p Harbor", "product:Harbor --max 0", "-p Harbor,Lantern --count", "product:Harbor --by status"],
    "'product:Harbor or crash'",
  ])
    expect([line, await offline(work, `bug search --offline ${line}`, env)]).toEqual([
      line,
      { code: 2, out: "", err: outside },
    ]);
  for (const line of ["-p Lantern", "'not product:Harbor'", "--component Editor"])
    expect(await offline(work, `bug search --offline ${line} --count`, env)).toMatchObject({ code: 0 });
  expect((await offline(work, "api /rest/bug -f product=lantern --offline", env)).code).toBe(0);
  expect((await offline(work, "bug search --offline --component Sync", env)).err).toBe(
    outside.replace("Harbor", "Sync"),
  );
});

test.each([
  ["product != Lantern", 'bt: bugs with "product != Lantern" are not in the mirror work: only Lantern\n'],
  ["not product:Lantern", 'bt: bugs with "product != Lantern" are not in the mirror work: only Lantern\n'],
  ["not (product:Lantern or is:closed)", 'bt: bugs with "product != Lantern" are not'],
  ["not (product:Lantern,Harbor)", 'bt: bugs with "not product in Lantern,Harbor" are not'],
  ["product ~ arbor", 'bt: bugs with "product ~ arbor" are not in the mirror work: only Lantern\n'],
  ["product !~ antern", 'bt: bugs with "product !~ antern" are not'],
  ["not product ~ antern is:open", 'bt: bugs with "product !~ antern" are not'],
  ["product =~ ^Har", 'bt: bugs with "product =~ ^Har" are not'],
  ["component ~ ync", 'bt: bugs with "component ~ ync" are not'],
  ["(product ~ arbor is:open) or (component ~ ync)", 'bt: bugs with "product ~ arbor" are not'],
  ["-S product:Harbor", 'bt: bugs with "product ~ Harbor" are not'],
  ["-S :Harbor", 'bt: bugs with "product ~ Harbor" are not'],
  ["-S -product:Lantern", 'bt: bugs with "product !~ Lantern" are not'],
])("a search for products that are not in the mirror is refused: %s", async (query, message) => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  const ran = await offline(work, query.replace(/^(-S )?(.*)$/, "bug search $1'$2'"));
  expect([ran.code, ran.out, ran.err]).toEqual([2, "", expect.stringContaining(message)]);
});

test("a search whose parts only together exclude the products of a mirror is refused", async () => {
  const work = await mirrored({ facts: { products: ["Lantern", "Handbook"] } });
  const ran = await offline(work, "bug search 'product != Lantern product != Handbook'");
  expect([ran.code, ran.err]).toEqual([
    2,
    expect.stringContaining("bt: bugs of this search are not in the mirror work: only Lantern, Handbook\n"),
  ]);
});

test.each([
  "'product ~ antern component ~ ync'",
  "'product ~ atlas'",
  "'product ~ arbor or priority >= High'",
  "'component !~ Editor'",
  "'product changed to Harbor'",
  "-S sync",
])("a search that bugs of the mirror may meet, or no bugs of the tracker, is answered: %s", async (query) => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  expect(await offline(work, `bug search ${query} --count`)).toMatchObject({ code: 0 });
});

test("a search that leaves out other products is answered", async () => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  expect((await offline(work, "bug search 'product != Harbor id:49' --format ids")).out).toBe("49\n");
  expect((await offline(work, "bug search 'not product:Harbor id:49' --format ids")).out).toBe("49\n");
});

test("the content of an attachment that a mirror does not have is missing", async () => {
  const work = await mirrored({ facts: { attachments: "none" } });
  const ran = await offline(work, "attachment download 3 -o -");
  expect([ran.code, ran.out]).toEqual([5, ""]);
  expect(ran.err).toContain(
    "the contents of attachments are not in the mirror; bt mirror create NAME --attachments all copies them\nhint: run",
  );
});

/** Bugs of the demo's other products. */
const OTHERS = new Set([7, 12, 18, 20, 23, 25, 26, 30, 32, 34, 35, 37, 38, 41, 42, 43, 45, 47, 50]);

test.each([
  ["bug get 50", "bug #50"],
  ["bug get sync-race", "'sync-race'"],
  ["bug history 50", "bug #50"],
  ["bug blame 50", "bug #50"],
  ["bug similar 50", "bug #50"],
  ["bug search id:49,50", "bug #50"],
  ["bug search --id 50 --count", "bug #50"],
  ["comment list 50", "bug #50"],
  ["comment get 50.0", "bug #50"],
  ["comment get c:120", "comment 120"],
  ["attachment list 50", "bug #50"],
  ["attachment get 1", "attachment 1"],
  ["attachment download --bug 50", "bug #50"],
  ["user get nobody@example.org", "user nobody@example.org"],
])("bt %s is of something that a mirror of a product does not have, which the tracker may", async (line, name) => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  const ran = await offline(work, line);
  expect(ran).toMatchObject({ code: 5, out: "" });
  expect(ran.err).toMatch(/^mirror work: only Lantern; as of 12:00; as seen by .*\n/);
  expect(ran.err).toContain(`bt: ${name} is not in the mirror work\n`);
  expect(ran.err).toContain(`hint: run the command with --base-url ${MIRRORED}\n`);
  expect(ran.err).not.toContain("response: ");
});

test.each([
  ["bug get 49 50", 10, "50: bug #50 is not in the mirror work"],
  ["attachment get 1 2 3", 10, "1: attachment 1 is not in the mirror work"],
  ["bug search --alias sync-race", 0, "not in the mirror: bug sync-race"],
  ["bug search 'alias = sync-race' --count", 0, "not in the mirror: bug sync-race"],
  ["bug tree 21", 0, "not in the mirror: bug #37"],
  ["user search ada", 0, "users are those that the bugs of the mirror have, without their groups"],
  [
    "bug search comment_tag:form",
    0,
    "comment tags are those of when each bug was read; tags changed since are missing",
  ],
])("bt %s tells what the mirror lacks of it", async (line, code, text) => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  const ran = await offline(work, line);
  expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(`${text}\n`)]);
});

test("a tree says which bug is outside the mirror", async () => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  expect((await offline(work, "bug tree 21 --format table")).out).toContain("#37 (not in the mirror)\n");
});

test("a card of a bug that is linked with one outside the mirror has all others", async () => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => !OTHERS.has(id) });
  const ran = await offline(work, "bug get 21 --format table");
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("not in the mirror: bug #37\n")]);
  expect(ran.out).toMatch(/#37\b/);
  expect(ran.out).toMatch(/#5 .*Opening a library of 90,000 photos/);
});

test("of many bugs that a mirror lacks the first ones are named", async () => {
  const numbers = Array.from({ length: 30 }, (_, at) => at + 1).filter((id) => id !== 17);
  const line = `bug search id:${numbers.join(",")}`;
  const whole = await offline(await mirrored({ holds: (id) => id > 30 }), line);
  const first = numbers.slice(0, 10).map((id) => `bug #${id}`);
  const more = `and ${numbers.length - 10} more`;
  expect([whole.code, whole.err]).toEqual([
    0,
    expect.stringContaining(`not in the mirror: ${first.join(", ")} ${more}\n`),
  ]);
  const part = await offline(await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => id > 30 }), line);
  const names = first.join(", ").replaceAll("bug ", "");
  expect([part.code, part.err]).toEqual([
    5,
    expect.stringContaining(`bt: bugs ${names} ${more} are not in the mirror work\n`),
  ]);
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
  expect((await offline(work, "bug get 49 --format ids")).code).toBe(0);
  chmodSync(`${file}-wal`, 0o640);
  expect(await offline(work, "bug get 49 --format ids")).toEqual(refused(`${file}-wal`));
  chmodSync(`${file}-wal`, 0o600);
  chmodSync(file, 0o644);
  expect(await offline(work, "bug get 49 --format ids")).toEqual(refused(file));
  expect(await offline(work, "bug get 49 --format ids --offline", env)).toEqual(refused(file));
  expect(await offline(work, "mirror sync work", env)).toEqual(refused(file));
  expect(JSON.parse((await offline(work, "mirror list --json")).out)).toMatchObject([
    { name: "work", state: `${file} is not used: it is readable by other users` },
  ]);
  for (const line of ["bug get 49 --format ids", "bug get 49 --format ids --offline"])
    expect(await offline(work, `${line} --insecure-files`, env)).toMatchObject(
      line.endsWith("--offline") ? { code: 0, out: "49\n" } : { code: 6 },
    );
  expect((await offline(work, "bug get 49", { ...env, BT_RETRY: "0" })).err).not.toContain("--offline");
  expect((await offline(work, "mirror drop work --yes")).code).toBe(0);
});

test.each([
  ["is:unread", '"is:unread": when you visited a bug is not in the mirror'],
  ["idle > 4w", "activity on all bugs"],
  ["assignee:@group.staff", '"assigned_to = @group.staff": the members of the group'],
  ['attachment_data ~ "x"', "contents of attachments"],
  ["summary =~ /\\d+/", "regular expressions differ"],
  ["comment =~ /a.b/", "line break"],
])("%s is refused with the reason", async (condition, reason) => {
  const work = await mirrored({ facts: { attachments: "none" } });
  const { code, out, err } = await offline(work, `bug search --where '${condition.replaceAll("'", '"')}'`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(reason);
});

test.each(["api /rest/version", "api /rest/nosuch"])("%s is refused: only the server knows", async (line) => {
  expect(await offline(await mirrored(), line)).toMatchObject({ code: 2, out: "" });
});

test("a bug that the mirror does not have is missing, as of its age and part", async () => {
  const work = await mirrored({ facts: { products: ["Lantern"] }, holds: (id) => id > 20 });
  const note = `mirror work: only Lantern; as of 12:00; as seen by ${LOGIN}\n`;
  for (const line of ["bug get 3", "comment list 3", "bug history 3", "attachment list 3", "bug blame 3"]) {
    const { code, out, err } = await offline(work, line);
    expect([line, code, out]).toEqual([line, 5, ""]);
    expect(err).toContain(note);
  }
  const several = await offline(work, "bug get 30 3 nosuch 49 --format ids");
  expect(several).toMatchObject({ code: 10, out: "30\n49\n" });
  expect(several.err).toContain(note);
});

test("--offline and BT_OFFLINE take the mirror of the tracker and its login", async () => {
  const work = await mirrored({ login: null });
  const env = { BT_BASE_URL: MIRRORED };
  expect(await offline(work, "bug search is:open --count --offline", env)).toMatchObject({ code: 0 });
  expect(await offline(work, "bug search is:open --count", { ...env, BT_OFFLINE: "1" })).toMatchObject({ code: 0 });
  expect(await offline(work, "bug search is:open --count --offline", { BT_BASE_URL: "demo:" })).toMatchObject({
    code: 0,
    err: "bt: demo: is on this machine: --offline reads and changes it directly\n",
  });
  expect(await offline(work, "bug search is:open --offline", { BT_BASE_URL: "https://other.example" })).toMatchObject({
    code: 2,
    err: "bt: no mirror of https://other.example\nhint: to create one while online: bt mirror create NAME\n",
  });
});

test("of several mirrors --offline reads the one synchronized last that has all that is named", async () => {
  const both = await mirrored({ login: null, name: "both", facts: { products: ["Lantern", "Harbor"] } });
  const { exchange } = both;
  const changed: Exchange = async (request) => {
    const response = await exchange(request);
    return { ...response, body: response.body.replaceAll('"priority":"Normal"', '"priority":"Lowest"') };
  };
  const lastSync = "2026-11-20T12:05:00.000Z";
  const work = { login: null, name: "work", holds: (id: number) => !OTHERS.has(id) };
  await mirrored({ ...work, facts: { products: ["Lantern"], lastSync } }, { ...both, exchange: changed });
  const env = { BT_BASE_URL: MIRRORED };
  const own = "mirror work: only Lantern; as of 12:05\n";
  const all = "mirror both: only Lantern, Harbor; as of 12:00; synchronized later: work\n";
  for (const [line, out, err] of [
    ["bug search -p Lantern id:44 priority:Lowest --format ids", "44\n", own],
    ["bug search 'id:44 (component:\"Import & Export\" or product:Lantern)' --print %{priority}", "Lowest\n", own],
    ["bug search id:44 --print %{priority}", "Lowest\n", own],
    ["bug get 44 --print %{priority}", "Lowest\n", own],
    ["bug history 44", expect.any(String), own],
    ["bug search -p Lantern,Harbor priority:Normal --limit 1 --print %{priority}", "Normal\n", all],
    ["bug search 'product:Lantern or priority:Normal' --limit 1 --print %{priority}", expect.any(String), all],
    ["bug search id:44,7 --sort id:desc --limit 1 --print %{priority}", "Normal\n", all],
    ["bug search 'not product:Harbor id:44,7' --print %{priority}", "Normal\n", all],
    ["bug get 7 --format ids", "7\n", all],
  ] as const)
    expect([line, await offline(both, `${line} --offline`, env)]).toEqual([line, { code: 0, out, err }]);
  expect((await offline(both, "bug get 44 --print %{priority}", { BT_BASE_URL: "mirror:both" })).out).toBe("Normal\n");
});

test("a newer mirror of public bugs does not stand for one of all, and one without contents not for them", async () => {
  const all = await mirrored({ login: null, name: "all" });
  const lastSync = "2026-11-20T12:05:00.000Z";
  await mirrored({ login: null, name: "public", facts: { publicOnly: true, lastSync } }, all);
  const env = { BT_BASE_URL: MIRRORED };
  expect((await offline(all, "bug get 44 --format ids --offline", env)).err).toBe("mirror all: as of 12:00\n");
  await mirrored({ login: null, name: "bare", facts: { attachments: "none", lastSync } }, all);
  expect((await offline(all, "bug search is:open --count --offline", env)).err).toBe("mirror bare: as of 12:05\n");
  expect(await offline(all, "attachment download 3 -o - --offline", env)).toMatchObject({
    code: 0,
    err: expect.stringContaining("mirror all: as of 12:00; synchronized later: bare\n"),
  });
});

type Facts = NonNullable<TestMirror["facts"]>;

test.each<[string, Facts, Facts, string | undefined]>([
  ["without products", { products: ["Lantern"] }, {}, "spare"],
  ["of more products", { products: ["Lantern", "Harbor"] }, { products: ["Harbor"] }, "work"],
  ["of other products", { products: ["Lantern"] }, { products: ["Harbor"] }, undefined],
  ["with contents", { attachments: "none" }, { attachments: "all" }, "spare"],
  ["without products and contents", { attachments: "none" }, { products: ["Lantern"] }, "work"],
  ["with hidden bugs", { publicOnly: true }, { publicOnly: false }, "spare"],
  ["with hidden bugs of a product", { publicOnly: true }, { products: ["Lantern"] }, undefined],
  ["that is not complete", { products: ["Lantern"] }, { lastSync: null }, undefined],
])("of several mirrors --offline takes that with the bugs of all: one %s", async (_, first, second, taken) => {
  const work = await mirrored({ login: null, facts: first });
  await mirrored({ login: null, name: "spare", facts: second }, work);
  const { err } = await offline(work, "bug get 9999 --offline", { BT_BASE_URL: MIRRORED });
  expect(err).toContain(taken ? `bug #9999 is not in the mirror ${taken}\n` : `several mirrors of ${MIRRORED}\n`);
});

test("a key of unknown login and no key take no mirror of a login", async () => {
  const work = await mirrored();
  const env = { BT_BASE_URL: MIRRORED, BT_API_KEY: "k".repeat(40) };
  expect(await offline(work, "bug search is:open --count --offline", env)).toMatchObject({
    code: 13,
    out: "",
    err: `bt: the mirror work is as seen by ${LOGIN}, and the login of your API key is not known
hint: to read it all the same: --as-mirror-owner; to store your login while online: bt auth login
`,
  });
  expect(await offline(work, "bug search is:open --count", { ...env, BT_BASE_URL: "mirror:work" })).toMatchObject({
    code: 0,
    err: `mirror work: as of 12:00; as seen by ${LOGIN}\n`,
  });
  expect(await offline(work, "bug search is:open --offline", { BT_BASE_URL: MIRRORED })).toMatchObject({
    ...{ code: 13, out: "" },
    err: `bt: the mirror work is as seen by ${LOGIN}, and you have no API key
hint: to read it all the same: --as-mirror-owner; to create your own while online: bt mirror create NAME
`,
  });
  await mirrored({ login: "mei@example.org", name: "spare" }, work);
  expect((await offline(work, "bug search is:open --offline", env)).err).toContain(
    `hint: choose one: --base-url mirror:spare (mei@example.org) or mirror:work (${LOGIN})\n`,
  );
  expect(await offline(work, "bug search is:open --offline", { BT_BASE_URL: MIRRORED })).toMatchObject({
    code: 2,
    err: `bt: no mirror of ${MIRRORED}
hint: to create one while online: bt mirror create NAME; of another login: --base-url mirror:spare (mei@example.org) or mirror:work (${LOGIN})
`,
  });
});

test.each([
  ["a key of unknown login", LOGIN, { BT_API_KEY: "k".repeat(40) }, `as seen by ${LOGIN}`],
  ["no key", LOGIN, {}, `as seen by ${LOGIN}`],
  ["a key, a mirror without one", null, { BT_API_KEY: "k".repeat(40) }, "as seen without a login"],
])("--as-mirror-owner reads a mirror of another login, and says whose view it is: %s", async (_, login, key, view) => {
  const work = await mirrored({ login });
  const env = { BT_BASE_URL: MIRRORED, ...key };
  expect((await offline(work, "bug get 49 --format ids --offline", env)).code).toBe(13);
  const read = { code: 0, out: "49\n", err: `mirror work: as of 12:00; ${view}\n` };
  expect(await offline(work, "bug get 49 --format ids --offline --as-mirror-owner", env)).toEqual(read);
  expect(await offline(work, "bug get 49 --format ids --as-mirror-owner", { ...env, BT_OFFLINE: "1" })).toEqual(read);
  await mirrored({ login: "mei@example.org", name: "spare" }, work);
  expect(await offline(work, "bug get 49 --offline --as-mirror-owner", env)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`bt: several mirrors of ${MIRRORED}\nhint: choose one: --base-url mirror:spare (mei@`),
  });
});

test("--refresh is refused with a mirror, which a sync refreshes", async () => {
  const work = await mirrored({ login: null });
  const refused = {
    ...{ code: 2, out: "" },
    err: "bt: --refresh cannot be used with a mirror\nhint: bt mirror sync updates mirrors\n",
  };
  const line = "bug get 49 --refresh";
  expect(await offline(work, `${line} --offline`, { BT_BASE_URL: MIRRORED })).toEqual(refused);
  expect(await offline(work, line)).toEqual(refused);
});

test("--as-mirror-owner requires --offline: a tracker is read as oneself", async () => {
  const work = await mirrored();
  const line = "bug get 49 --as-mirror-owner";
  const refused = { code: 2, out: "", err: "bt: --as-mirror-owner requires --offline\n" };
  expect(await offline(work, line, { BT_BASE_URL: MIRRORED })).toEqual(refused);
  expect((await offline(work, line)).code).toBe(0);
  expect((await offline(work, "mirror sync --help=all")).out).not.toContain("--as-mirror-owner");
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

test("the error of an unreachable tracker names the mirror", async () => {
  const work = await mirrored({ login: null, facts: { tracker: UNREACHABLE } });
  const env = { BT_BASE_URL: UNREACHABLE, BT_RETRY: "0" };
  const failed = await offline(work, "bug search is:open", env);
  expect(failed.code).toBe(6);
  expect(failed.err).toContain("--offline reads from the mirror work, as of 12:00");
  expect((await offline(work, "bug update 49 -m Seen --dry-run", env)).err).toContain("--offline reads");
  expect(await offline(work, "mirror sync work", env)).toMatchObject({
    code: 6,
    err: expect.not.stringContaining("--offline"),
  });
  expect(await offline(work, "bug update 49 -m Seen", env)).toMatchObject({
    code: 6,
    err: expect.not.stringContaining("--offline"),
  });
});
