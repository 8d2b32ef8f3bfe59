import path from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { COLUMNS, session } from "./session.ts";
import { terminalSvg } from "./terminal-svg.ts";

const COMMAND = "bt bug search is:open priority:Highest,High";

test("the picture of README.md is what a terminal prints", async () => {
  const { text } = await session([`$ ${COMMAND}`], {
    home: freshFolder(),
    env: { BT_BASE_URL: "demo:" },
    lines: 0,
    color: true,
  });
  const printed = text.slice(text.indexOf("\n") + 1);
  await expect(terminalSvg({ command: COMMAND, printed, columns: COLUMNS })).toMatchFileSnapshot(
    path.join(import.meta.dirname, "../../.github/terminal.svg"),
  );
});

test("bold, colours and links of a terminal", () => {
  const printed =
    "\u001b[1mID\u001b[22m \u001b[38;5;160m<blocker>\u001b[39m \u001b]8;;http://bugs.example.org\u0007#12\u001b]8;;\u0007";
  const lines = terminalSvg({ command: "bt", printed, columns: 80 }).split("\n");
  expect(lines.find((line) => line.includes("ID"))).toMatchInlineSnapshot(
    `"<text x="12" y="47" textLength="16" style="font-weight:bold">ID</text><text x="36" y="47" textLength="72" style="fill:#d70000">&lt;blocker></text><text x="116" y="47" textLength="24">#12</text>"`,
  );
  expect(() => terminalSvg({ command: "bt", printed: "\u001b[2J", columns: 80 })).toThrow("no style for [2J");
  expect(() => terminalSvg({ command: "bt", printed: "\u001b[7mx", columns: 80 })).toThrow("no style for 7");
});
