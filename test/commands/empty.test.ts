import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { demo } from "./demo.ts";

/** A command on a new tracker, without the line about its file. */
async function fresh(line: string, terminal: boolean) {
  const ran = await btConnected(line, { terminal, env: { HOME: freshFolder(), BT_BASE_URL: "local:" } });
  return { ...ran, err: ran.err.replace(/^created a tracker in\s+\S+\n/, "") };
}

test.each([
  ["config list", "no settings; bt config list --all shows all available\n"],
  ["config unset product", "product was not set\n"],
  ["job list", "no open jobs\n"],
  ["tag search nosuch", "no comment tags contain nosuch\n"],
  ["field list --custom", "this tracker has no custom fields\n"],
])("an empty result is reported at a terminal and prints nothing in a pipe: bt %s", async (line, told) => {
  expect(await fresh(line, true)).toEqual({ code: 0, out: "", err: told });
  expect(await fresh(line, false)).toEqual({ code: 0, out: "", err: "" });
});

test.each([
  ["field values summary", "summary has no list of legal values\nhint: bt field get summary shows its type"],
  ["tag update 82 --add x", 'a tag must have 3 to 24 characters, "x" has 1'],
  [
    "bug update 44 --depends-on 43,42",
    "--depends-on is ambiguous for a list\nhint: --add-depends-on 43,42, or --remove-depends-on 43,42, or --set-depends-on 43,42",
  ],
  [
    "bug update 44 --groups security",
    "--groups is ambiguous for a list\nhint: --add-groups security, or --remove-groups security",
  ],
])("an error lists the valid choices: bt %s", async (line, told) => {
  expect(await demo()(line)).toMatchObject({ code: 2, out: "", err: `bt: ${told}\n` });
});
