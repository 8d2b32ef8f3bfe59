import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { WAYS } from "./scene.ts";

/** A file with names for `--map`. */
function mapFile(map: object): string {
  const file = join(freshFolder(), "map.json");
  writeFileSync(file, JSON.stringify(map));
  return file;
}

/** Flags of a move of the demo's bugs, with a results file of its own. */
function between(address: string): string {
  return `--from demo: --to ${address} --results ${join(freshFolder(), "moved.jsonl")}`;
}

describe.each(WAYS)("bugs of the demo move to another tracker %s", (_, open) => {
  test("the plan says what is missing and lost; the move asks; what moved is like the source", async () => {
    const { say, address, store } = await open();
    const flags = between(address);
    const plan = await say("ada", `migrate plan ${flags} id:3,4,16,24 --json`);
    expect([plan.code, plan.err]).toEqual([0, ""]);
    const rows: readonly { action: string; what: string; count: number }[] = JSON.parse(plan.out);
    expect(rows.map(({ action, what }) => `${action} ${what}`)).toEqual(
      expect.arrayContaining(["move bugs", "move comments", "text authors and times", "lose changes"]),
    );
    expect(rows.some(({ action }) => action === "missing" || action === "create")).toBe(false);

    const unasked = await say("ada", `migrate run ${flags} id:3,4,16,24`);
    expect([unasked.code, unasked.err]).toEqual([13, expect.stringContaining("4 bugs to move")]);
    expect((await say("ada", `migrate run ${flags} id:3,4,16,24`, { answers: ["no"] })).code).toBe(13);
    expect(store.get("SELECT count(*) AS n FROM bugs")).toEqual({ n: 50 });

    const moved = await say("ada", `migrate run ${flags} id:3,4,16,24 --yes`);
    expect([moved.code, moved.out]).toEqual([0, "3\t51\tmoved\t\n4\t52\tmoved\t\n16\t53\tmoved\t\n24\t54\tmoved\t\n"]);
    const fields = "summary,product,component,version,status,resolution,priority,severity,keywords,assigned_to,cc";
    const [old, now] = await Promise.all(
      ["3 4 16 24", "51 52 53 54"].map((ids) => say("ada", `bug get ${ids} --fields ${fields} --format csv`)),
    );
    expect(now?.out).toBe(old?.out);
    expect((await say("ada", "bug get 52 --fields dupe_of --format tsv")).out).toBe("51\n");
    const attachments = "file_name,content_type,size,is_patch,is_private";
    expect((await say("ada", `attachment list 53 --fields ${attachments}`)).out).toBe(
      (await say("ada", `attachment list 16 --fields ${attachments}`)).out,
    );
    const texts = (await say("ada", "comment list 52 --fields count,text --format json")).out;
    expect(texts).toMatch(/"count":0,"text":"\[demo no\. 4: reported by ilse@example\.org, [-\d: ]+UTC\]\\n\\n/);
    expect(texts).toContain("duplicate of bug 51 (was 3) ***");
  });

  test("new comments and bugs are added by a second run, and nothing else", async () => {
    const { say, address, store } = await open();
    const flags = between(address);
    await say("ada", `migrate run ${flags} id:48 --yes`);
    await say("ada", "bug update 51 --priority Lowest");
    const before = store.get("SELECT count(*) AS n FROM comments");
    const again = await say("ada", `migrate run ${flags} id:46,48 --yes`);
    expect([again.code, again.out]).toEqual([0, "46\t52\tmoved\t\n48\t51\tunchanged\t\n"]);
    expect((await say("ada", "bug get 51 --fields priority --format tsv")).out).toBe("Lowest\n");
    expect(store.get("SELECT count(*) AS n FROM comments")).not.toEqual(before);
  });

  test("names change by a map; a mistyped field, an unknown name and a missing one are refused", async () => {
    const { say, address, store } = await open();
    const flags = between(address);
    const map = mapFile({
      product: { Lantern: "Harbor" },
      component: { "Lantern/Library": "Sync" },
      version: { main: "1.5" },
      target_milestone: { "3.3": "1.6" },
    });
    const missing = await say("ada", `migrate run ${flags} id:48 --yes --map ${mapFile({ version: { main: "9" } })}`);
    expect([missing.code, missing.err]).toEqual([3, expect.stringContaining("version Lantern/9 (1 bug)")]);
    const unknown = mapFile({ product: { Lantern: "Brand new" } }); // it gets one of two versions
    const partly = await say("ada", `migrate run ${flags} id:44,48 --yes --map ${unknown}`);
    expect([partly.code, partly.err]).toEqual([3, expect.stringContaining("version Brand new/")]);
    expect(store.get("SELECT count(*) AS n FROM products WHERE name = 'Brand new'")).toEqual({ n: 0 });
    const wrong = await say("ada", `migrate run ${flags} id:48 --yes --map ${mapFile({ versions: {} })}`);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('unknown field "versions"')]);
    expect(store.get("SELECT count(*) AS n FROM bugs")).toEqual({ n: 50 });
    const mistyped = await say(
      "ada",
      `migrate run ${flags} id:48 --yes --map ${mapFile({ version: { mian: "1.5" } })}`,
    );
    expect([mistyped.code, mistyped.err]).toEqual([2, expect.stringContaining("did you mean main?")]);
    const elsewhere = mapFile({ component: { "Nope/Library": "Sync" } });
    const misplaced = await say("ada", `migrate plan ${flags} id:48 --map ${elsewhere}`);
    expect([misplaced.code, misplaced.err]).toEqual([2, expect.stringContaining('unknown component "Nope/Library"')]);
    const idle = mapFile({
      ...{ users: { "mie@example.org": "ada@example.org" }, flags: { reveiw: "review" } },
      ...{ groups: { sercurity: "staff" }, cf_build: { "1": "2" }, priority: { Lowest: "Low" } },
    });
    expect((await say("ada", `migrate plan ${flags} id:48 --map ${idle}`)).err).toBe(
      '--map: not used by any moved bug: users "mie@example.org", flags "reveiw", groups "sercurity", cf_build "1"\n',
    );
    const ran = await say("ada", `migrate run ${flags} id:48 --yes --map ${map}`);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("results: ")]);
    expect((await say("ada", "bug get 51 --fields product,component,version --format tsv")).out).toBe(
      "Harbor\tSync\t1.5\n",
    );
  });

  test("somebody without rights moves nothing", async () => {
    const { say, address, store } = await open();
    const ran = await say("nobody", `migrate run ${between(address)} id:48 --yes`);
    expect(ran.code).toBe(4);
    expect(store.get("SELECT count(*) AS n FROM bugs")).toEqual({ n: 50 });
  });
});

const [[, inProcess] = [], [, overHttp] = []] = WAYS;

test("numbers of comments that are new in a second run are not guessed", async () => {
  const { say, store } = (await inProcess?.()) ?? {};
  const flags = between("demo:");
  await say?.("ada", `migrate run ${flags} id:48 --yes`);
  await say?.("ada", "comment add 51 -m 'only here'");
  const [last] = JSON.parse((await say?.("ada", "comment list 48 --json"))?.out ?? "[]").slice(-1);
  await say?.("ada", `comment add 48 -m 'As comment ${last.count} says, not comment ${last.count + 1}.'`);
  await say?.("ada", `comment add 46 -m 'See bug 48 comment ${last.count + 1}, and bug 48 comment 0.'`);
  await say?.("ada", `migrate run ${flags} id:46,48 --yes`);
  const texts = store?.all("SELECT text FROM comments ORDER BY id DESC").map(({ text }) => String(text));
  const [about, other] = [/\bAs comment.*/, /\bSee bug.*/].map((part) => texts?.map((text) => part.exec(text)?.[0]));
  expect(about?.find(Boolean)).toBe(`As comment ${last.count} says, not comment no. ${last.count + 1} (old number).`);
  expect(other?.find(Boolean)).toMatch(/^See bug 51 .*comment.*, and bug 51 comment 0 \(was 48#c0\)\.$/);
});

test("an attachment and the comment that it was made with keep each their own privacy", async () => {
  const { say } = (await inProcess?.()) ?? {};
  const file = join(freshFolder(), "notes.txt");
  writeFileSync(file, "notes");
  await say?.("ada", `attachment add 41 ${file} -m 'between us' --private`);
  await say?.("ada", `attachment add 41 ${file} -m 'for all'`);
  const own = "attachment list 41 --fields id --format tsv";
  const [first, second] = (await say?.("ada", own))?.out.trim().split("\n") ?? [];
  await say?.("ada", `attachment update ${first} --private no`);
  await say?.("ada", `attachment update ${second} --private yes`);
  expect((await say?.("ada", `migrate run ${between("demo:")} id:41 --yes`))?.out).toBe("41\t51\tmoved\t\n");
  const privacy = async (bug: string) => [
    (await say?.("ada", `comment list ${bug} --fields count,is_private --format csv`))?.out,
    (await say?.("ada", `attachment list ${bug} --fields file_name,is_private --format csv`))?.out,
  ];
  const before = [
    "count,is_private\r\n0,false\r\n1,true\r\n2,false\r\n",
    "file_name,is_private\r\nnotes.txt,0\r\nnotes.txt,1\r\n",
  ];
  expect(await privacy("41")).toEqual(before);
  expect(await privacy("51")).toEqual(before);
  expect((await say?.("sam", "comment list 51"))?.out).not.toContain("between us");
});

test("a private description, and all parts of a long private comment, are private in the target", async () => {
  const { say, store } = (await inProcess?.()) ?? {};
  const text = join(freshFolder(), "long.txt");
  writeFileSync(text, `${"between us ".repeat(5_956)}end`);
  const [description] = JSON.parse((await say?.("ada", "comment list 41 --json"))?.out ?? "[]");
  expect((await say?.("ada", `bug update 41 --comment-is-private ${description.id}=yes`))?.code).toBe(0);
  expect((await say?.("ada", `comment add 41 -F ${text} --private`))?.code).toBe(0);
  const first = await say?.("ada", `migrate run ${between("demo:")} id:41 --yes`);
  expect([first?.code, first?.out]).toEqual([0, "41\t51\tmoved\t\n"]);
  expect(store?.all("SELECT is_private FROM comments WHERE bug_id = 51 ORDER BY id")).toEqual(
    Array.from({ length: 3 }, () => ({ is_private: 1 })),
  );
  expect((await say?.("sam", "comment list 51 --json"))?.out).toBe("[]\n");
});

test("a map may be about the flags of attachments alone", async () => {
  const { say } = (await inProcess?.()) ?? {};
  const own = (await say?.("ada", "attachment list 16 --fields id --format tsv"))?.out.trim();
  expect((await say?.("ada", `attachment update ${own} --flag review?`))?.code).toBe(0);
  const map = mapFile({ flags: { review: "review" } });
  expect((await say?.("ada", `migrate plan ${between("demo:")} id:16 --map ${map}`))?.err).toBe("");
});

test("attachments of which the source does not have the contents are lost by the plan, not moved", async () => {
  const { say, store } = (await inProcess?.()) ?? {};
  store?.run("UPDATE attachments SET data = '', size = 0 WHERE bug_id = 16");
  const { out = "" } = (await say?.("ada", `migrate plan ${between("demo:")} id:16`)) ?? {};
  expect(out.split("\n").filter((row) => row.includes("attachments"))).toEqual([
    "lose\tattachments\t\t1\tthe source does not have their contents",
  ]);
});

test("a long comment of an attachment is moved in full", async () => {
  const { say } = (await inProcess?.()) ?? {};
  const [file, text] = [join(freshFolder(), "notes.txt"), join(freshFolder(), "long.txt")];
  writeFileSync(file, "notes");
  writeFileSync(text, `${"word ".repeat(13_100)}end`);
  await say?.("ada", `attachment add 41 ${file} -F ${text}`);
  expect((await say?.("ada", `migrate run ${between("demo:")} id:41 --yes`))?.code).toBe(0);
  expect((await say?.("ada", "comment list 51 --json"))?.out).toContain("word end");
});

test("numbers of comments after a long one, which becomes two, are not guessed", async () => {
  const { say, store } = (await inProcess?.()) ?? {};
  const text = join(freshFolder(), "long.txt");
  writeFileSync(text, `${"word ".repeat(13_100)}end`);
  await say?.("ada", `comment add 41 -F ${text}`);
  const [{ count }] = JSON.parse((await say?.("ada", "comment list 41 --json"))?.out ?? "[]").slice(-1);
  await say?.("ada", `comment add 41 -m 'After comment ${count}, before comment ${count + 2}.'`);
  await say?.("ada", "comment add 41 -m last");
  expect((await say?.("ada", `migrate run ${between("demo:")} id:41 --yes`))?.code).toBe(0);
  const { text: moved } =
    store?.get("SELECT text FROM comments WHERE text LIKE '%After comment%' ORDER BY id DESC") ?? {};
  expect(moved).toContain(`After comment ${count}, before comment no. ${count + 2} (old number).`);
});

test("a restricted bug is created with its groups, or not at all", async () => {
  const { say, store } = (await inProcess?.()) ?? {};
  const restricted = String(store?.get("SELECT min(bug_id) AS id FROM bug_groups")?.["id"]);
  const moved = await say?.("ada", `migrate run ${between("demo:")} id:${restricted} --yes`);
  expect(moved?.out).toBe(`${restricted}\t51\tmoved\t\n`);
  const groups = (id: string) => say?.("ada", `bug get ${id} --fields groups --format tsv`);
  expect((await groups("51"))?.out).toBe((await groups(restricted))?.out);
  expect((await say?.("sam", "bug get 51"))?.code).not.toBe(0);

  await say?.("ada", "bug update 51 --remove-groups security");
  await say?.("ada", `comment add ${restricted} -m secret`);
  const results = join(freshFolder(), "again.jsonl");
  const flags = `--from demo: --to demo: --results ${results} id:${restricted} --yes`;
  expect((await say?.("ada", `migrate run ${flags}`))?.out).toBe(`${restricted}\t52\tmoved\t\n`);
  await say?.("ada", "bug update 52 --remove-groups security");
  await say?.("ada", `comment add ${restricted} -m 'more secrets'`);
  const exposed = await say?.("ada", `migrate run ${flags}`);
  expect([exposed?.code, exposed?.err]).toEqual([
    13,
    expect.stringContaining("bug 52 of the target is not restricted"),
  ]);
  expect(store?.get("SELECT count(*) AS n FROM comments WHERE text LIKE '%more secrets'")).toEqual({ n: 1 });

  const map = mapFile({ groups: { security: "release-drivers" } });
  const refused = await say?.("mei", `migrate run ${between("demo:")} id:${restricted} --yes --map ${map}`);
  expect(refused?.code).not.toBe(0);
  expect(refused?.out ?? "").not.toContain("moved");
  expect(store?.get("SELECT count(*) AS n FROM bugs")).toEqual({ n: 52 });
});

test("the same tracker, a missing one and a second address are refused before anything is read", async () => {
  const { say, address } = (await overHttp?.()) ?? {};
  const code = async (flags: string) => (await say?.("ada", `migrate plan ${flags}`))?.code;
  expect(await code(`--from ${address} --to ${address}`)).toBe(2);
  expect(await code("--from demo:")).toBe(2);
  expect(await code("--to demo:")).toBe(2);
  expect(await code("--from demo: --to nowhere")).toBe(2);
  expect(await code(`--from demo: --to ${address} --base-url demo:`)).toBe(2);
});
