import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createTracker } from "../../../src/tracker/http/tracker.ts";
import { openDatabase } from "../../../src/tracker/store/database.ts";
import { MIGRATIONS } from "../../../src/tracker/store/migrations.ts";
import { openStore } from "../../../src/tracker/store/store.ts";
import { LAUNCHER } from "../../built.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { isFull, much } from "../../much.ts";
import { surroundings } from "../../process/real.ts";
import { chance } from "../../reliability/random.ts";

const { SEED = "1" } = process.env;

/** The key of the owner in the file that the first release wrote. */
const KEY = "ef4999821a680d3f81909dadffbe598b70fd3619";

/** A copy of a file that the first release wrote: three bugs with comments and changes, and the key of their owner. */
function firstRelease(): string {
  const file = join(freshFolder(), "tracker.db");
  writeFileSync(file, gunzipSync(readFileSync(new URL("version-1.db.gz", import.meta.url))), { mode: 0o600 });
  return file;
}

test("released migrations are frozen", () => {
  const digests = MIGRATIONS.map((step) => createHash("sha256").update(step).digest("hex").slice(0, 16));
  expect(digests).toMatchInlineSnapshot(`
    [
      "8c368f228db2f138",
      "171a7ec9bd649a56",
    ]
  `);
});

describe("a file of the first release", () => {
  const all = (file: string, sql: string) => {
    const database = openDatabase(file);
    const rows = database.all(sql);
    database.close();
    return rows;
  };

  test("keeps its bugs, comments, history, keys and mails", () => {
    const file = firstRelease();
    const counts = `SELECT (SELECT count(*) FROM bugs) AS bugs, (SELECT count(*) FROM comments) AS comments,
      (SELECT count(*) FROM activity) AS activity, (SELECT count(*) FROM api_keys) AS keys,
      (SELECT count(*) FROM outbox) AS mails, (SELECT count(*) FROM answered_writes) AS answered`;
    const before = all(file, counts);
    expect(before).toEqual([{ bugs: 3, comments: 7, activity: 9, keys: 1, mails: 8, answered: 8 }]);
    openStore(file, true).close();
    expect(all(file, counts)).toEqual(before);
    expect(all(file, "PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length }]);
  });

  test("has the schema of a fresh one", () => {
    const schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
    const [old, fresh] = [firstRelease(), join(freshFolder(), "fresh.db")];
    for (const file of [old, fresh]) openStore(file).close();
    expect(all(old, schema)).toEqual(all(fresh, schema));
  });

  test("still accepts its key, and repeats the response to an earlier write", async () => {
    const file = firstRelease();
    const [known] = all(file, "SELECT idempotency_key AS key, time FROM answered_writes WHERE request_sha256 <> ''");
    const store = openStore(file);
    const ask = createTracker(store, {
      now: () => new Date(String(known?.["time"])),
      random: (n) => new Uint8Array(n),
    });
    const request = {
      method: "POST" as const,
      path: "/rest/bug",
      query: [["api_key", KEY]] as [string, string][],
      headers: { "idempotency-key": String(known?.["key"]) },
      body: { product: "Project", component: "General", version: "unspecified", summary: "Another" },
    };
    expect((await ask(request)).status).toBe(422); // the key belongs to another request
    expect((await ask({ ...request, headers: { "idempotency-key": "new" } })).status).toBe(200);
    store.close();
  });
});

const TRIES = much(3, 50);

test(
  "an upgrade killed at any point leaves an intact file, old or new",
  async () => {
    const dice = chance(Number(SEED));
    const big = firstRelease();
    enlarge(big);
    const seen: string[] = [];
    for (let n = 0; n < TRIES; n += 1) {
      const file = join(freshFolder(), "tracker.db");
      copyFileSync(big, file);
      await killUpgrade(file, dice.below(60));
      seen.push(stateOf(file));
      openStore(file, true).close();
      expect(stateOf(file)).toBe(`version ${MIGRATIONS.length}, 20000 bugs, 1 key, 20008 answered, ok`);
    }
    for (const state of seen) {
      expect(state, `with SEED=${SEED}`).toMatch(/^version [12], 20000 bugs, 1 key, 20008 answered, ok$/);
    }
    if (isFull) expect(new Set(seen).size, "kills before and after the change").toBe(2);
  },
  much(60_000, 600_000),
);

/** Brings a file of the first release to 20,000 bugs, and as many answered writes, without the migrations since. */
function enlarge(file: string): void {
  const database = openDatabase(file);
  database.exec(COPIES);
  database.all("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

const COLUMNS =
  "status, product_id, component_id, version, priority, severity, platform, op_sys, assigned_to_id, creator_id";
const COPIES = `
INSERT INTO bugs (id, summary, creation_time, last_change_time, ${COLUMNS})
WITH RECURSIVE numbers (number) AS (SELECT 4 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
SELECT number, summary || number, creation_time, last_change_time, ${COLUMNS} FROM numbers CROSS JOIN bugs ON bugs.id = 1;
INSERT INTO answered_writes
SELECT 1, 'k' || id, hex(randomblob(32)), creation_time, 200, hex(randomblob(200)) FROM bugs`;

/** Kills the shipped program so many milliseconds after it has begun to write. */
async function killUpgrade(file: string, delay: number): Promise<void> {
  const child = spawn(process.execPath, [LAUNCHER, "--base-url", `local:${file}`, "bug", "get", "1"], {
    env: surroundings(),
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while (!existsSync(`${file}-wal`) && child.exitCode === null) await turn();
  const end = process.hrtime.bigint() + BigInt(delay) * 1_000_000n;
  while (process.hrtime.bigint() < end && child.exitCode === null) await turn();
  child.kill("SIGKILL");
  await ended;
}

function stateOf(file: string): string {
  const database = openDatabase(file);
  try {
    const one = (sql: string) => Object.values(database.get(sql) ?? {})[0];
    const version = Number(one("PRAGMA user_version"));
    const indexes = Number(one("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%\\_by\\_time' ESCAPE '\\'"));
    const isWhole = one("PRAGMA integrity_check") === "ok" && indexes === (version === 1 ? 0 : 3);
    return [
      `version ${version}`,
      `${one("SELECT count(*) FROM bugs")} bugs`,
      `${one("SELECT count(*) FROM api_keys")} key`,
      `${one("SELECT count(*) FROM answered_writes")} answered`,
      isWhole ? "ok" : "damaged",
    ].join(", ");
  } finally {
    database.close();
  }
}
