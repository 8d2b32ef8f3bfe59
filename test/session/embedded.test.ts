import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

test("the command that creates the file of a tracker names it, and only that one", async () => {
  const home = freshFolder();
  const env = { HOME: home, BT_BASE_URL: "local:" };
  const created = `created a tracker in ${home}/.local/share/bt/tracker.db\n`;
  expect(await btConnected("bug search --all", { env })).toMatchObject({ code: 0, out: "", err: created });
  expect(await btConnected("bug search --all", { env })).toMatchObject({ code: 0, out: "", err: "" });
  expect((await btConnected(`admin --data ${home}/team.db group list`, { env })).err).toBe(
    `created a tracker in ${home}/team.db\n`,
  );
  expect((await btConnected("bug search is:open --count", { env: { HOME: home, BT_BASE_URL: "demo:" } })).err).toBe("");
});
