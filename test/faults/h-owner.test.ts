import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { addApiKey } from "../servers/api-key.ts";
import { FATES, type Faults, faultyTracker } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";

const COMMENT = "comment add 43 -m ping";
const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps";
const PINGS = "SELECT count(*) FROM comments WHERE text = 'ping'";
const CRASHES = "SELECT count(*) FROM bugs WHERE summary = 'Crash'";

/** A job whose outcome is unknown, begun with BT_API_KEY, and a way to resume it with another key. */
async function begun(line: string, faults: Faults, letter = "") {
  const state = { isOut: false };
  const tracker = await faultyTracker({
    ...faults,
    write: (incident) => {
      if (incident.count > 1) return state.isOut ? FATES.badGatewayBefore(incident) : incident.pass();
      state.isOut = true;
      return faults.write?.(incident);
    },
    read: (incident) => (state.isOut ? FATES.badGatewayBefore(incident) : incident.pass()),
  });
  const home = freshFolder();
  const env = {
    ...tracker.env,
    HOME: home,
    ...(letter === "" ? {} : { BT_API_KEY: addApiKey(tracker.store, tracker.login, letter.repeat(40)) }),
  };
  const first = await btConnected(line, { env });
  expect(first.code, first.err).toBe(9);
  state.isOut = false;
  const as = (key: string, words = "") =>
    btConnected(`job send ${jobIn(first.err)} ${words}`, { env: { ...env, BT_API_KEY: key } });
  return { tracker, home, as, job: jobIn(first.err) };
}

const MEI = "mei@example.org";

describe("H9 a job started with BT_API_KEY", () => {
  test.each([
    ["a comment", COMMENT, PINGS, false],
    ["a bug", CREATE, CRASHES, false],
    ["a comment on a tracker with idempotency keys", COMMENT, PINGS, true],
    ["a bug on a tracker with idempotency keys", CREATE, CRASHES, true],
  ] as const)("%s is not resumed with the key of another user", async (...[, line, sql, isKeyed]) => {
    const { tracker, as, job } = await begun(line, { write: FATES.resetAfter, isKeyed });
    const sent = tracker.writes().length;
    const mei = addApiKey(tracker.store, MEI);
    const refused = await as(mei);
    expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`bt job send ${job} --as-me`) });
    expect([0, 9]).toContain((await as(mei, "--as-me")).code);
    expect({ made: tracker.count(sql), sent: tracker.writes().length }).toEqual({ made: 1, sent });
  });

  test("is resent as another user with --as-me if it is not found", async () => {
    const { tracker, as } = await begun(COMMENT, { write: FATES.resetBefore });
    const mei = addApiKey(tracker.store, MEI);
    expect(await as(mei, "--as-me")).toMatchObject({ code: 9 });
    expect(await as(mei, "--as-me --resend")).toMatchObject({ code: 0 });
    expect(tracker.count(`${PINGS} AND creator_id = (SELECT id FROM users WHERE login = '${MEI}')`)).toBe(1);
  });

  test("is identified by a salted hash, never by the key", async () => {
    const one = await begun(COMMENT, { write: FATES.resetBefore });
    const [name = ""] = jobsOf(one.home, "open");
    const text = readFileSync(join(one.home, ".local/state/bt/jobs", name), "utf8");
    const [head = ""] = text.split("\n");
    expect(JSON.parse(head).credential).toEqual({
      salt: expect.stringMatching(/^.{24}$/),
      scrypt: expect.stringMatching(/^.{44}$/),
    });
    expect(text).not.toContain(one.tracker.key);
  });

  test("is not resumed without a key", async () => {
    const { as, tracker } = await begun(COMMENT, { write: FATES.resetAfter });
    expect(await as("")).toMatchObject({ code: 2, out: "", err: expect.stringContaining("not by an anonymous user") });
    expect(tracker.writes()).toHaveLength(1);
  });
});

test("H9 a job started with a login is resumed with a new key of the same user", async () => {
  const { tracker, home, as, job } = await begun(COMMENT, { write: FATES.resetAfter });
  const file = join(home, ".local/state/bt/jobs", `${job}.jsonl`);
  const [head = "", ...events] = readFileSync(file, "utf8").split("\n");
  const known = { ...JSON.parse(head), user: tracker.login.toUpperCase() };
  writeFileSync(file, [JSON.stringify(known), ...events].join("\n"));
  const renewed = addApiKey(tracker.store, tracker.login, "n".repeat(40));
  expect(await as(renewed)).toMatchObject({ code: 0 });
  expect(tracker.writes()).toHaveLength(1);
});
