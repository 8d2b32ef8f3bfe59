import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, faultyTracker, nth } from "./faulty-tracker.ts";
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
  await bt(`job send ${jobIn(run.err)} --yes`);
  for (const rest of ["[0]", "[1]", "[2]"]) {
    const count = `SELECT count(*) FROM bugs WHERE id BETWEEN 101 AND 129 AND whiteboard = '${rest} [z]'`;
    expect([rest, tracker.count(count)]).toEqual([rest, rest === "[1]" ? 9 : 10]);
  }
  expect(tracker.count("SELECT count(*) FROM bugs WHERE id = 130 AND whiteboard IN ('[1] [z]', '[new] [z]')")).toBe(1);
});

test("of five edits side by side, each is there or called overwritten", async () => {
  const tracker = await faultyTracker();
  const run = (n: number) =>
    btConnected(`bug update 44 --add-whiteboard [w${n}]`, { env: { ...tracker.env, HOME: freshFolder() } });
  const runs = await Promise.all([1, 2, 3, 4, 5].map(run));
  const said = runs.map(({ err }) => err).join("");
  const whiteboard = tracker.text("SELECT whiteboard FROM bugs WHERE id = 44");
  for (const n of [1, 2, 3, 4, 5]) expect(whiteboard + said).toContain(`[w${n}]`);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
});
