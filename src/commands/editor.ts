import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnv } from "../child-env.ts";
import { BtError } from "../errors.ts";
import type { Context } from "./context.ts";
import { utf8 } from "./targets.ts";

/** Lets the user write a text in their editor, starting from one; needs a terminal. The text is kept until it has been used. */
export async function edit(start: string, context: Context): Promise<string> {
  const { io } = context;
  if (!io.terminal.stdin || !io.terminal.stdout) {
    throw new BtError("usage", "there is no terminal for the editor", {
      hint: "give the text with --body-file",
      changed: "nothing",
    });
  }
  const command = [io.env["BT_EDITOR"], io.env["VISUAL"], io.env["EDITOR"], "vi"].find(Boolean) as string;
  const folder = await mkdtemp(join(tmpdir(), "bt-"));
  const file = join(folder, "text.txt");
  await writeFile(file, start, { mode: 0o600 });
  await open(command, file, io.env);
  context.drafts.push(file);
  return utf8(await readFile(file), "the edited text").replace(/\s+$/, "");
}

async function open(command: string, file: string, env: Context["io"]["env"]): Promise<void> {
  const { spawn } = await import("node:child_process");
  const child = spawn("/bin/sh", ["-c", `${command} "$1"`, "bt", file], { stdio: "inherit", env: childEnv(env) });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(editorFailed(command, error.message)));
    child.on("close", (code) => (code === 0 ? resolve() : reject(editorFailed(command, `it ended with ${code}`))));
  });
}

function editorFailed(command: string, why: string): BtError {
  return new BtError("local", `the editor ${command} failed: ${why}`, {
    hint: "set BT_EDITOR or EDITOR",
    changed: "nothing",
  });
}
