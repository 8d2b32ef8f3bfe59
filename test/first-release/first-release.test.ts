import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { faultyTracker } from "../faults/faulty-tracker.ts";
import { freshFolder } from "../fresh-folder.ts";

/** Content of a file of the first release, for a tracker of another address. */
function kept(name: string, address: string, key = ""): string {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text.replaceAll("TRACKER", address).replaceAll("KEY", key);
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

/** A tracker, and a home in which the first release has left its files; nothing but they names the tracker or the key. */
async function homeOf(...names: readonly string[]) {
  const tracker = await faultyTracker();
  const home = freshFolder();
  for (const name of names) put(join(home, ".config/bt", name), kept(name, tracker.url, tracker.key));
  const { BT_BASE_URL: _, BT_API_KEY: __, ...clock } = tracker.env;
  const bt = (line: string) => btConnected(line, { env: { ...clock, HOME: home } });
  return { tracker, home, bt };
}

describe("settings of the first release", () => {
  test.each([
    ["fields", "id,summary,priority"],
    ["sort", "priority,-id"],
    ["limit", "7"],
    ["format", "csv"],
    ["utc", "true"],
    ["retry", "0"],
    ["max_size", "3"],
    ["server_zone", "Europe/Berlin"],
    ["nobody", "nobody@example.org,unowned@example.org"],
    ["product", "Lantern"],
    ["color", "never"],
  ])("%s has the stored value", async (name, value) => {
    const { bt } = await homeOf("config.json");
    expect(await bt(`config get ${name}`)).toMatchObject({ code: 0, out: `${value}\n` });
  });

  test("determine the limit and the order of a search", async () => {
    const { bt } = await homeOf("config.json");
    const run = await bt("bug search --status CONFIRMED");
    expect(run.code, run.err).toBe(0);
    expect(run.out.split("\r\n").slice(0, 2)).toEqual([
      "id,summary,priority",
      "49,Memory grows by the size of every photo while importing,Highest",
    ]);
  });

  test("apply to their profile and can be changed", async () => {
    const { bt } = await homeOf("config.json");
    expect(await bt("bug search id:12 -P work")).toMatchObject({ code: 0, out: "12\n" });
    expect(await bt("config set limit 4 -P work")).toMatchObject({ code: 0 });
    expect(await bt("config get limit -P work")).toMatchObject({ code: 0, out: "4\n" });
    expect(await bt("config get limit")).toMatchObject({ code: 0, out: "7\n" });
  });
});

test("a login of the first release works and can be removed", async () => {
  const { bt, tracker } = await homeOf("config.json", "credentials.json");
  const run = await bt("auth status --json");
  expect(run.code, run.err).toBe(0);
  expect(run.out).toContain(tracker.login);
  expect((await bt("comment add 43 -m Hello")).code).toBe(0);
  expect((await bt("auth logout")).code).toBe(0);
  expect((await bt("comment add 43 -m Hello")).code).toBe(4);
});

test("cached metadata of the first release is used without a request", async () => {
  const { bt, tracker, home } = await homeOf("config.json", "credentials.json");
  await bt("bug search --priority High --limit 1");
  const cache = join(home, ".cache/bt");
  const [folder = ""] = readdirSync(cache);
  put(join(cache, folder, "fields.json"), kept("fields.json", tracker.url));
  const before = tracker.requests.length;
  expect(await bt("bug search --priority High --limit 1")).toMatchObject({ code: 0 });
  const asked = tracker.requests.slice(before).map(({ path }) => path);
  expect(asked).toEqual(["/rest/bug"]);
});

describe("a tracker file of the first release", () => {
  /** A home, and the file: two bugs, one of them a duplicate, comments, changes, a tag, a custom field, and a group. */
  function file() {
    const home = freshFolder();
    const database = join(home, "tracker.db");
    writeFileSync(database, gunzipSync(readFileSync(join(import.meta.dirname, "tracker.db.gz"))), { mode: 0o600 });
    return (line: string) => btConnected(line, { env: { HOME: home, BT_BASE_URL: `local:${database}` } });
  }

  test.each([
    ["bug get 1 --fields id,summary,priority,whiteboard,cf_colour", "1\tFirst bug\tHigh\t[seen]\tred\n"],
    ["bug get 2 --fields id,status,resolution,dupe_of", "2\tRESOLVED\tDUPLICATE\t1\n"],
    ["bug search --whiteboard seen --format ids", "1\n"],
    [
      "bug history 1 --fields field_name,removed,added",
      "priority\t---\tHigh\nwhiteboard\t\t[seen]\ncf_colour\t\tred\n",
    ],
    ["comment get 1 --fields id,tags,text", "1\tspam\tSteps\n"],
    ["group get triage --fields id,name", "10\ttriage\n"],
  ])("%s", async (line, out) => {
    const run = await file()(line);
    expect({ code: run.code, out: run.out }, run.err).toEqual({ code: 0, out });
  });

  test("is writable", async () => {
    const bt = file();
    expect(await bt("bug update 1 --priority Low --set-whiteboard ''")).toMatchObject({ code: 0 });
    expect(await bt("bug get 1 --fields priority,whiteboard,cf_colour")).toMatchObject({ out: "Low\t\tred\n" });
  });
});
