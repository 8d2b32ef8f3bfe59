import { spawn } from "node:child_process";
import { childEnv } from "../../platform.ts";
import type { Context } from "../verb.ts";

/**
 * Runs a command line with a text on its stdin, without the API key; its output goes to stderr. Returns why it failed,
 * undefined if it did not. A stop signal ends it.
 */
export function runWithInput(line: string, text: string, { io }: Context): Promise<string | undefined> {
  const { program, args, options } = io.platform.shell.run(line, io.env);
  const child = spawn(program, args, { ...options, stdio: ["pipe", 2, 2], env: childEnv(io.env), signal: io.signal });
  child.stdin?.on("error", () => undefined); // the command does not read it
  child.stdin?.end(io.hide(text));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
}
