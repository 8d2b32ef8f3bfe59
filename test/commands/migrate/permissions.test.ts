import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { runningClock } from "../../clock.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

/** A source with a private comment on bug 1, and a restricted bug 2; a target whose login may move the first. */
async function trackers() {
  const target = await faultyTracker({ clock: runningClock() });
  const home = freshFolder();
  const [file, results] = [join(home, "source.db"), join(home, "moved.jsonl")];
  const run = (line: string, stdin = "") => btConnected(line, { env: { ...target.env, HOME: home }, stdin });
  const source = async (line: string, stdin = "") => {
    const done = await run(
      line.startsWith("admin") ? `${line} --data ${file}` : `${line} --base-url local:${file}`,
      stdin,
    );
    expect(done, done.err).toMatchObject({ code: 0 });
  };
  await source(
    "admin apply -",
    `
    groups: [{ name: security, members: [admin] }]
    products:
      - name: Lantern
        versions: ["3.2"]
        components: [{ name: Editor, default_assignee: owner@localhost }]
        groups: [{ group: security }]`,
  );
  const create = "bug create -p Lantern -c Editor --version 3.2 --severity normal --priority Normal";
  await source(`${create} -t Private -d Text`);
  await source("comment add 1 -m secret --private");
  await source(`${create} -t Restricted -d Text --groups security`);
  const flags = `--from local:${file} --to ${target.url} --results ${results}`;
  const plan = async (terms: string) => {
    const { out } = await run(`migrate plan ${flags} ${terms} --json`);
    const rows: readonly Record<"action" | "what" | "name" | "count", string>[] = JSON.parse(out);
    return rows
      .filter(({ action }) => ["missing", "check", "create"].includes(action))
      .map(({ action, what, name, count }) => `${action} ${what} ${name} ${count}`);
  };
  const move = (terms: string) => run(`migrate run ${flags} -y ${terms}`);
  return { target, source, plan, move };
}

const NO_INSIDERS = "INSERT OR REPLACE INTO parameters (name, value) VALUES ('insidergroup', '')";

const PERMISSION = "missing permission private comments and attachments 1";

test("private comments that the login may not write in the target are missing, and nothing is sent", async () => {
  const { target, plan, move } = await trackers();
  expect(await plan("id:1")).toEqual([]);
  target.store.exec(NO_INSIDERS);
  expect(await plan("id:1")).toEqual([PERMISSION]);
  expect(await plan("id:2")).not.toContain(PERMISSION);
  const ran = await move("id:1");
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("not in the insider group")]);
  expect(target.count("SELECT count(*) FROM bugs")).toBe(50);
});

test("new private comments of bugs that were moved before need the permission, too", async () => {
  const { target, source, plan, move } = await trackers();
  expect((await move("id:1")).code).toBe(0);
  target.store.exec(NO_INSIDERS);
  expect(await plan("id:1")).toEqual([]);
  await source("comment add 1 -m 'another secret' --private");
  expect(await plan("id:1")).toEqual([PERMISSION]);
});

test("groups of bugs without the login as a member are to be checked if they exist, else missing", async () => {
  const { target, plan, move } = await trackers();
  expect(await plan("id:2")).toEqual(["check group security 1"]);
  expect((await move("id:2")).code).not.toBe(0);
  expect(target.count("SELECT count(*) FROM bugs")).toBe(50);
  const [me, of] = [`SELECT id FROM users WHERE login = '${target.login}'`, "(SELECT id FROM groups WHERE name ="];
  target.store.exec(`DELETE FROM group_members WHERE user_id = (${me}) AND group_id = ${of} 'creategroups')`);
  expect(await plan("id:2")).toEqual(["missing group security 1"]);
  target.store.exec(`INSERT INTO group_members (group_id, user_id, kind)
    VALUES (${of} 'security'), (${me}), 'member')`);
  expect(await plan("id:2")).toEqual([]);
});
