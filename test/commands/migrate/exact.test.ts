import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/tracker/http/server.ts";
import { openTracker } from "../../../src/tracker/open.ts";
import { sha256 } from "../../../src/tracker/users/passwords.ts";
import type { Exchange, Json, JsonObject } from "../../../src/wire/exchange.ts";
import type { ReceivedBug } from "../../../src/wire/mirror.ts";
import { btConnected } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { receiveBugs } from "../../tracker/mirror/received.ts";

const NOW = "2026-11-20T12:00:00Z";
const RUNTIME = { now: () => new Date(NOW), random: (count: number) => new Uint8Array(count) };
const KEY = "ada".padEnd(40, "k");

/** A served demo as somebody with all rights sees it, and a local tracker beside it. */
async function scene() {
  const demo = freshDemo(RUNTIME);
  const served = await startServer({ tracker: demo.tracker, port: 0 });
  const folder = freshFolder();
  const file = join(folder, "moved.db");
  onTestFinished(async () => {
    await served.close();
    demo.close();
  });
  const userId = Number(demo.store.get("SELECT id FROM users WHERE login = 'ada@example.org'")?.["id"]);
  const ADD_KEY = "INSERT INTO api_keys (user_id, key_sha256, description, creation_time) VALUES (?, ?, '', ?)";
  demo.store.run(ADD_KEY, [userId, sha256(KEY), NOW]);
  const env = { HOME: folder, BT_BASE_URL: served.url, BT_API_KEY: KEY };
  const source: Exchange = (request) => demo.tracker(request, { address: "127.0.0.1", userId });
  const local = (path = file) => {
    const opened = openTracker(`local:${path}`, { ...RUNTIME, dataDirectory: folder });
    onTestFinished(opened.close);
    return opened;
  };
  const flags = `--from ${served.url} --to local:${file}`;
  const bt = (line: string, stdin = "") => btConnected(line, { env, now: NOW, stdin });
  return { demo, source, file, local, flags, bt };
}

/** Parts that belong to a tracker: ids of users, flags and types, and tokens. */
const OWN = new Set(["id", "type_id", "update_token", "classification", "actual_time"]);

function comparable(value: Json, isTop = true): Json {
  if (Array.isArray(value)) return value.map((one: Json) => comparable(one, false));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject).filter(([name]) => isTop || !OWN.has(name));
  return Object.fromEntries(entries.map(([name, one]) => [name, comparable(one, false)]));
}

function withoutOwn({ bug, comments, history, attachments }: ReceivedBug): Json {
  const { update_token: _, tags: __, classification: ___, cf_upstream: ____, ...fields } = bug; // no bug has the last
  const flags = (bug["flags"] as readonly JsonObject[]).toSorted((one, other) =>
    String(one["name"]) < String(other["name"]) ? -1 : 1,
  ); // trackers return them in the order of their types
  return {
    bug: comparable({ ...fields, flags }),
    comments,
    history,
    attachments: attachments.map((one) => comparable(one)),
  };
}

test("bugs move into a local tracker with numbers, authors, times, history, restrictions and contents", async () => {
  const { source, bt, local, flags } = await scene();
  const ran = await bt(`migrate run ${flags} --yes`);
  expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
  expect(ran.out).toMatch(/^1\t1\tmoved\t\n2\t2\tmoved\t\n/);
  const [before, after] = await Promise.all([receiveBugs(source), receiveBugs(local().exchange)]);
  expect(after.map(({ bug }) => bug["id"])).toEqual(before.map(({ bug }) => bug["id"]));
  for (const [at, one] of before.entries()) expect(withoutOwn(after[at] as ReceivedBug)).toEqual(withoutOwn(one));
});

test("flag types of a new product are as in the source, and those of the target keep their places", async () => {
  const { demo, bt, local, flags } = await scene();
  const TYPES = `SELECT flag_types.name, target, flag_types.description, is_requestable, is_requesteeble, is_multiplicable
    FROM flag_types WHERE name <> 'needinfo' ORDER BY name, target`; // every new tracker has the latter
  const placesIn = async (exchange: Exchange, product: string) => {
    const found = await exchange({ method: "GET", path: "/rest/product", query: [["names", product]] });
    const [{ components }] = JSON.parse(found.body).products;
    return components.map(({ name, flag_types: { bug, attachment } }: JsonObject & { flag_types: Flags }) =>
      [name, ...[...bug, ...attachment].map((type) => type.name).sort()].join(" "),
    );
  };
  type Flags = Readonly<Record<"bug" | "attachment", readonly { readonly name: string }[]>>;
  const as = (userId: number, opened: Pick<typeof demo, "tracker">): Exchange => {
    return (request) => opened.tracker(request, { address: "127.0.0.1", userId });
  };
  const source = as(1, demo);
  demo.store.run("UPDATE flag_types SET is_multiplicable = 1 - is_multiplicable, description = 'Set ' || name");
  expect((await bt(`migrate run ${flags} -p Lantern --yes`)).code).toBe(0);
  const moved = await placesIn(as(1, local()), "Lantern");
  expect(moved).toEqual(await placesIn(source, "Lantern"));
  expect(moved.join()).toContain("review");
  for (const type of local().store.all(TYPES)) expect(demo.store.all(TYPES)).toContainEqual(type);
  expect((await bt(`migrate run ${flags} -p Handbook --yes`)).code).toBe(0);
  expect(await placesIn(as(1, local()), "Handbook")).toEqual(await placesIn(source, "Handbook"));
  expect(await placesIn(as(1, local()), "Lantern")).toEqual(moved);
});

test("a plan creates no file, and changes none", async () => {
  const { bt, local, flags, file } = await scene();
  const plan = await bt(`migrate plan ${flags} -p Handbook --json`);
  expect([plan.code, plan.err]).toEqual([0, expect.stringContaining(`a tracker would be created in ${file}\n`)]);
  expect(JSON.parse(plan.out)).toContainEqual(expect.objectContaining({ action: "move", what: "bugs", count: 7 }));
  expect(existsSync(file)).toBe(false);
  const content = () => local().store.all("SELECT name, sql FROM sqlite_schema ORDER BY name");
  const before = content();
  expect(await bt(`migrate plan ${flags} -p Handbook --json`)).toEqual({
    ...plan,
    err: plan.err.replace(/^a tracker.*\n/, ""),
  });
  expect(content()).toEqual(before);
  expect((await bt(`migrate run ${flags} -p Handbook --yes`)).code).toBe(0);
  expect(JSON.parse((await bt(`migrate plan ${flags} -p Handbook --json`)).out)).toEqual([]);
});

test("a plan between other trackers creates no folder for results", async () => {
  const home = freshFolder();
  expect((await btConnected("migrate plan --from demo: --to demo: id:44", { env: { HOME: home } })).code).toBe(0);
  expect(readdirSync(home)).toEqual([]);
});

test("a user of a map who only wrote comments is used by a move into local data", async () => {
  const { demo, flags, bt } = await scene();
  const ONLY = `SELECT bug_id, login FROM users JOIN comments ON creator_id = users.id WHERE users.id NOT IN
    (SELECT assigned_to_id FROM bugs WHERE id = bug_id UNION SELECT creator_id FROM bugs WHERE id = bug_id
     UNION SELECT coalesce(qa_contact_id, 0) FROM bugs WHERE id = bug_id
     UNION SELECT user_id FROM bug_cc WHERE bug_cc.bug_id = comments.bug_id)`;
  const { bug_id: bug, login } = demo.store.get<{ bug_id: number; login: string }>(ONLY) ?? { bug_id: 0, login: "" };
  const map = JSON.stringify({ users: { [login]: "renamed@example.org", "nobody@example.org": "x@example.org" } });
  const { err } = await bt(`migrate plan ${flags} --id ${bug} --map -`, map);
  expect(err).toContain('--map: not used by any moved bug: users "nobody@example.org"\n');
});

test("--map - reads the names from stdin, and --results - is refused", async () => {
  const { bt, local, flags } = await scene();
  const map = JSON.stringify({ product: { Handbook: "Manual" } });
  const plan = await bt(`migrate plan ${flags} -p Handbook --map - --json`, map);
  expect(JSON.parse(plan.out)).toContainEqual(expect.objectContaining({ what: "product", name: "Manual" }));
  expect((await bt(`migrate run ${flags} -p Handbook --map - --yes`, `\ufeff${map}`)).code).toBe(0);
  expect(
    local().store.get("SELECT count(*) AS n FROM bugs JOIN products ON products.id = product_id WHERE name = 'Manual'"),
  ).toEqual({ n: 7 });
  for (const [stdin, message] of [
    ["", "stdin"],
    ['{"versions": {}}', 'stdin: unknown field "versions"'],
  ] as const)
    expect(await bt(`migrate plan ${flags} -p Handbook --map -`, stdin)).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining(message),
    });
  for (const line of [`migrate plan --from demo: --to demo: --results -`, "bug import - --results - --base-url demo:"])
    expect((await bt(line)).err).toContain("--results cannot be stdout");
});

test("a bug that moved can be changed like others, and a second run adds what is new", async () => {
  const { demo, bt, local, flags, file } = await scene();
  await bt(`migrate run ${flags} id:44,48 --yes`);
  const changed = await bt(`bug update 48 --priority Lowest --status RESOLVED -r FIXED --base-url local:${file}`);
  expect([changed.code, changed.err]).toEqual([0, ""]);
  await demo.exchange({
    method: "POST",
    path: "/rest/bug/48/comment",
    query: [],
    body: { comment: "later, see bug 44" },
  });
  const again = await bt(`migrate run ${flags} id:44,46,48 --yes`);
  expect([again.code, again.out]).toEqual([0, "44\t44\tunchanged\t\n46\t46\tmoved\t\n48\t48\tupdated\t\n"]);
  const once = await bt(`migrate run ${flags} id:44,46,48 --yes`);
  expect(once.out).toBe("44\t44\tunchanged\t\n46\t46\tunchanged\t\n48\t48\tunchanged\t\n");
  const { store } = local();
  expect(store.get("SELECT priority, status FROM bugs WHERE id = 48")).toEqual({
    priority: "Lowest",
    status: "RESOLVED",
  });
  expect(store.all("SELECT text FROM comments WHERE bug_id = 48 AND text LIKE 'later%'")).toEqual([
    { text: "later, see bug 44" },
  ]);
});

test("numbers of comments are not guessed in bugs that have others by now", async () => {
  const { demo, bt, local, flags, file } = await scene();
  const say = (bug: number, comment: string) =>
    demo.exchange({ method: "POST", path: `/rest/bug/${bug}/comment`, query: [], body: { comment } });
  await bt(`migrate run ${flags} id:44,48 --yes`);
  await bt(`comment add 48 -m 'only here' --base-url local:${file}`);
  await say(48, "as comment 0 says");
  await say(44, "as comment 0 says, and bug 48 comment 0");
  await bt(`migrate run ${flags} id:44,48 --yes`);
  expect(local().store.all("SELECT bug_id, text FROM comments WHERE text LIKE 'as comment%' ORDER BY bug_id")).toEqual([
    { bug_id: 44, text: "as comment 0 says, and bug 48, comment no. 0 (old number)" },
    { bug_id: 48, text: "as comment no. 0 (old number) says" },
  ]);
});

test("numbers that are taken change, and the texts, links and history with them", async () => {
  const { bt, local, flags, file } = await scene();
  const filed = "bug create -p Project -c General --bug-version unspecified -t";
  for (const n of [1, 2, 3, 4]) {
    const { code, err } = await bt(`${filed} own-${n} -d text --base-url local:${file}`);
    expect({ code, err: n === 1 ? "" : err }).toMatchObject({ code: 0 });
  }
  const ran = await bt(`migrate run ${flags} id:3,4,6 --yes`);
  expect([ran.code, ran.out]).toEqual([0, "3\t5\tmoved\t\n4\t6\tmoved\t\n6\t7\tmoved\t\n"]);
  const { store } = local();
  expect(store.all("SELECT summary FROM bugs WHERE id < 5")).toEqual(
    [1, 2, 3, 4].map((n) => ({ summary: `own-${n}` })),
  );
  expect(store.all("SELECT bug_id, dupe_of FROM bug_duplicates")).toEqual([{ bug_id: 6, dupe_of: 5 }]);
  expect(store.all("SELECT kind, about FROM comments WHERE kind LIKE '%duplicate%' ORDER BY about")).toEqual([
    { kind: "duplicate_of", about: 5 },
    { kind: "has_duplicate", about: 6 },
  ]);
  expect((await bt(`${filed} next -d text --base-url local:${file}`)).out).toBe("8\n");
});

test("a results file is refused, since the data file has the numbers", async () => {
  const { bt, flags } = await scene();
  expect((await bt(`migrate run ${flags} --yes --results x.jsonl`)).code).toBe(2);
});

const MEMBERS = `SELECT group_concat(login, ' ') AS logins FROM (SELECT DISTINCT login FROM users
  JOIN group_members ON user_id = users.id AND kind = 'member' JOIN groups ON groups.id = group_id
  WHERE groups.name = ? ORDER BY login)`;

test("the members of a new group are copied, so that they still see its bugs", async () => {
  const { bt, demo, flags, local, file } = await scene();
  const [restricted] = demo.store.all<{ id: number; name: string }>(
    "SELECT bug_id AS id, name FROM bug_groups JOIN groups ON groups.id = group_id",
  );
  const plan = JSON.parse((await bt(`migrate plan ${flags} id:${restricted?.id} --json`)).out);
  const [row] = plan.filter(({ what }: JsonObject) => what === "group");
  expect(row).toMatchObject({
    action: "create",
    name: restricted?.name,
    note: expect.stringMatching(/^with \d members$/),
  });
  expect((await bt(`migrate run ${flags} id:${restricted?.id} -y`)).code).toBe(0);
  const of = (store: typeof demo.store) => store.get(MEMBERS, [restricted?.name ?? ""])?.["logins"];
  expect(String(of(demo.store)).split(" ").length).toBeGreaterThan(1);
  expect(of(local(file).store)).toBe(of(demo.store));
});

test("the plan says that members are lost whom the login does not see", async () => {
  const { bt, demo, flags } = await scene();
  demo.store.exec("DELETE FROM group_members WHERE user_id = (SELECT id FROM users WHERE login = 'ada@example.org')");
  demo.store.exec(`INSERT INTO group_members (group_id, user_id, kind) SELECT groups.id, users.id, 'member'
    FROM groups, users WHERE groups.id IN (SELECT group_id FROM bug_groups) AND login = 'ada@example.org'`);
  const { out } = await bt(`migrate plan ${flags} --json`);
  expect(JSON.parse(out).filter(({ what }: JsonObject) => String(what).startsWith("group"))).toMatchInlineSnapshot(`
    [
      {
        "action": "create",
        "count": 2,
        "name": "security",
        "note": "",
        "what": "group",
      },
      {
        "action": "lose",
        "count": 2,
        "name": "security",
        "note": "no members are visible to your login; administrators become members",
        "what": "group members",
      },
    ]
  `);
});

test("attachments of which the source does not have the contents move without them, as the plan says", async () => {
  const { demo, bt, flags } = await scene();
  demo.store.run("UPDATE attachments SET data = '', size = 0 WHERE bug_id = 16");
  const { out } = await bt(`migrate plan ${flags} id:16`);
  expect(out.split("\n").filter((row) => row.includes("attachments"))).toEqual([
    "move\tattachments\t\t1\t",
    "lose\tcontents of attachments\t\t1\tthe source does not have their contents",
  ]);
});
