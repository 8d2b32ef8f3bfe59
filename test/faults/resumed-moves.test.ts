import { expect, test } from "vitest";
import { applySetup } from "../../src/tracker/setup/setup.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, faultyTracker, nth } from "./faulty-tracker.ts";
import { jobIn } from "./ran.ts";

const MOVE = "bug update - -p Harbor -c API --bug-version 1.5 --milestone --- --yes";

/** A move of 30 bugs, 101 to 130, whose second request fails; its product does not allow the group of some of them. */
async function stopped(line: string, isPrivate: string) {
  const tracker = await faultyTracker({ write: nth(2, FATES.badGatewayBefore) });
  crowd(tracker, 130);
  applySetup(tracker.store, {
    groups: [{ name: "release-drivers", user_regexp: ".*" }],
    products: [{ name: "Lantern", groups: [{ group: "release-drivers", members: "shown", others: "shown" }] }],
  });
  tracker.store.exec(
    "UPDATE bugs SET (product_id, component_id, version) = (SELECT product_id, component_id, version FROM bugs WHERE id = 44) WHERE id > 100",
  );
  const hide = (condition: string) =>
    tracker.store.exec(
      `INSERT INTO bug_groups (bug_id, group_id) SELECT bugs.id, groups.id FROM bugs, groups
       WHERE groups.name = 'release-drivers' AND bugs.id > 100 AND ${condition}`,
    );
  hide(isPrivate);
  const home = freshFolder();
  const bt = (words: string, stdin = "") =>
    btConnected(words, { env: { ...tracker.env, HOME: home }, stdin, waits: [] });
  const ids = [...Array(30).keys()].map((at) => 101 + at);
  const run = await bt(line, ids.join(" "));
  const left = () =>
    tracker.count(
      "SELECT count(*) FROM bugs JOIN products ON products.id = product_id WHERE bugs.id > 100 AND products.name <> 'Harbor'",
    );
  return { run, bt, hide, left, tracker };
}

test("a resumed move makes only those bugs public that --allow-no-groups was given for", async () => {
  const { run, bt, left } = await stopped(`${MOVE} --allow-no-groups`, "bugs.id >= 125");
  expect([run.code, left()]).not.toEqual([0, 0]);
  const resumed = await bt(`job send ${jobIn(run.err)} --yes`);
  expect([resumed.code, left()]).toEqual([0, 0]);
  expect(resumed.err).toContain("note: bug 130 is now public\n");
});

test("a resumed move skips and names bugs that became private meanwhile", async () => {
  const { run, bt, hide, left, tracker } = await stopped(MOVE, "false");
  hide("bugs.id = 130");
  const resumed = await bt(`job send ${jobIn(run.err)} --yes`);
  expect([resumed.code, left()]).toEqual([10, 1]);
  expect(resumed.err).toContain("bug 130: may become public");
  expect(tracker.count("SELECT count(*) FROM bug_groups WHERE bug_id = 130")).toBe(1);
});
