import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

/** A command on a new tracker, without the line about its file. */
async function fresh(line: string, terminal: boolean) {
  const ran = await btConnected(line, { terminal, env: { HOME: freshFolder(), BT_BASE_URL: "local:" } });
  return { ...ran, err: ran.err.replace(/^note: created a tracker in\s+\S+\n/, "") };
}

test.each([
  ["config unset product", "note: product was not set\n"],
  ["job list", "note: no open jobs\n"],
  ["tag search nosuch", "note: no comment tags contain nosuch\n"],
  ["field list --custom", "note: this tracker has no custom fields\n"],
])("an empty result is reported at a terminal and prints nothing in a pipe: bt %s", async (line, told) => {
  expect(await fresh(line, true)).toEqual({ code: 0, out: "", err: told });
  expect(await fresh(line, false)).toEqual({ code: 0, out: "", err: "" });
});
