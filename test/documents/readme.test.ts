import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readCommand } from "../../src/cli/run.ts";
import { TREE } from "../../src/commands/tree.ts";
import { words } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { session } from "./session.ts";

const FILE = path.join(import.meta.dirname, "../../README.md");
const README = readFileSync(FILE, "utf8");

const hasJq = !spawnSync("jq", ["--version"]).error;

test.skipIf(!hasJq)(
  "README.md has the sessions as a terminal shows them",
  async () => {
    const home = freshFolder();
    let lines = 0;
    let env = {};
    const withSessions = await replaced(README, /(```console\n)(.*?)(```)/gs, async (...[, head, body, end]) => {
      const commands = body.split("\n").filter((line) => line.startsWith("$ "));
      const told = await session(commands, { home, env, lines });
      lines += commands.length;
      env = told.env;
      return `${head}${told.text}${end}`;
    });
    await expect(withSessions).toMatchFileSnapshot(FILE);
  },
  60_000,
);

const SCRIPTS = [...README.matchAll(/^```(?:sh|yaml)\n(.*?)^```/gms)].flatMap(([, body = ""]) => commandsIn(body));

test("README.md has shell commands", () => expect(SCRIPTS.length).toBeGreaterThan(15));

test.each(SCRIPTS)("%s is a valid bt command", async (line) => {
  const asked = await readCommand(words(line).slice(1), { tree: TREE, version: "0.0.0" });
  expect(asked.kind).toBe("verb");
});

/** The commands of bt in some lines of shell, each up to where a pipe, a redirection or a remark begins. */
function commandsIn(shell: string): readonly string[] {
  const plain = shell.replace(/\s#\s.*$/gm, "").replaceAll(/"(\$\w+|[^"$(]*\$\w+[^"]*)"/g, "'$1'");
  const commands = plain.matchAll(/(?:^|run: |\| |\$\(|npx )(bt (?:'[^']*'|[^|>&)'\n])+)/gm);
  return [...commands].map(([, command = ""]) => command.trim());
}

async function replaced(
  text: string,
  pattern: RegExp,
  replacement: (...match: [string, string, string, string]) => Promise<string>,
): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(
      text.slice(at, match.index),
      await replacement(...(match as unknown as [string, string, string, string])),
    );
    at = match.index + match[0].length;
  }
  return parts.join("") + text.slice(at);
}
