import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, type FaultyTracker, faultyTracker, nth } from "./faulty-tracker.ts";
import { jobIn } from "./ran.ts";

test("a token added to many bugs is resumed from the current value of each bug", async () => {
  const tracker = await faultyTracker({ write: nth(2, FATES.badGatewayBefore) });
  crowd(tracker, 130);
  const home = freshFolder();
  const bt = (line: string, stdin = "") => btConnected(line, { env: { ...tracker.env, HOME: home }, stdin, waits: [] });
  const ids = [...Array(30).keys()].map((at) => 101 + at);
  for (const id of ids) tracker.store.exec(`UPDATE bugs SET whiteboard = '[${id % 3}]' WHERE id = ${id}`);

  const run = await bt("bug update - --add-whiteboard [z] --yes", ids.join(" "));
  expect(run.code).not.toBe(0);
  tracker.store.exec("UPDATE bugs SET whiteboard = '[new]' WHERE id = 130 AND whiteboard NOT LIKE '%[z]%'");
  await bt(`job send ${jobIn(run.err)} --resend`);
  for (const rest of ["[0]", "[1]", "[2]"]) {
    const count = `SELECT count(*) FROM bugs WHERE id BETWEEN 101 AND 129 AND whiteboard = '${rest} [z]'`;
    expect([rest, tracker.count(count)]).toEqual([rest, rest === "[1]" ? 9 : 10]);
  }
  expect(tracker.count("SELECT count(*) FROM bugs WHERE id = 130 AND whiteboard IN ('[1] [z]', '[new] [z]')")).toBe(1);
});

describe("five edits of one bug side by side", () => {
  const five = async (line: (n: number) => string, isKeyed: boolean) => {
    const tracker = await faultyTracker({ isKeyed });
    const run = (n: number) => btConnected(line(n), { env: { ...tracker.env, HOME: freshFolder() }, waits: [] });
    const runs = await Promise.all([1, 2, 3, 4, 5].map(run));
    return { tracker, runs };
  };
  const whiteboard = (tracker: FaultyTracker) => tracker.text("SELECT whiteboard FROM bugs WHERE id = 44");

  test("on a tracker with update tokens, none is lost that was reported as made", async () => {
    const { tracker, runs } = await five((n) => `bug update 44 --add-whiteboard [w${n}]`, true);
    const made = runs.map(({ code }, at) => [`[w${at + 1}]`, code === 0]);
    expect(made.map(([word]) => [word, whiteboard(tracker).includes(String(word))])).toEqual(made);
    expect(made.filter(([, is]) => is).length).toBeGreaterThanOrEqual(4);
    for (const { code, err } of runs)
      if (code !== 0) expect([code, err]).toEqual([11, expect.stringContaining("no changes made")]);
  });

  test("on a tracker with update tokens, none of a multi-select is lost", async () => {
    const values = ["camera", "phone", "card reader"];
    const line = (n: number) => `bug update 44 --field 'cf_devices=+${values[n % 3]}'`;
    const { tracker, runs } = await five(line, true);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const { bugs } = (await tracker.as(tracker.login, { method: "GET", path: "/rest/bug/44" })) as {
      bugs: JsonObject[];
    };
    expect(bugs[0]?.["cf_devices"]).toEqual(["camera", "card reader", "phone"]);
  });

  test("on a tracker without them, what was overwritten is named, and not called another user's", async () => {
    const { tracker, runs } = await five((n) => `bug update 44 --add-whiteboard [w${n}]`, false);
    const said = runs.map(({ err }) => err).join("");
    const lost = [1, 2, 3, 4, 5].map((n) => `[w${n}]`).filter((word) => !whiteboard(tracker).includes(word));
    for (const word of lost) expect(said).toContain(word);
    expect(runs.some(({ code }) => code === 11)).toBe(lost.length > 0);
    expect(said).not.toContain("another user");
  });

  test("a change between the reading and the write is edited anew", async () => {
    const tracker: FaultyTracker = await faultyTracker({
      isKeyed: true,
      write: async (incident) => {
        const body = { ids: [44], whiteboard: `[new ${incident.count}]` };
        if (incident.count < 4) await tracker.as(tracker.login, { method: "PUT", path: "/rest/bug/44", body });
        return incident.pass();
      },
    });
    const run = await btConnected("bug update 44 --add-whiteboard [w]", {
      env: { ...tracker.env, HOME: freshFolder() },
    });
    expect(run).toMatchObject({
      code: 0,
      out: expect.stringContaining("44\tdone\twhiteboard: [new 3] -> [new 3] [w]\t"),
    });
  });
});
