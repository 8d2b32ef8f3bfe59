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
