import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";
import { BtError } from "../errors.ts";
import { childEnv } from "../io.ts";
import type { Context } from "./verb.ts";

/** Opens a page in the user's browser; without a terminal, prints its URL. */
export async function openInBrowser(url: string, { io, session }: Context): Promise<void> {
  if (!io.terminal.stdout) return io.out(`${url}\n`);
  const named = [io.env["BT_BROWSER"], session.settings.browser, io.env["BROWSER"]].find(Boolean);
  const program = findProgram(named ? [named] : OPENERS, io.env["PATH"]);
  await io.err(`${url}\n`);
  if (program === undefined) {
    throw new BtError("local", "no browser found", {
      hint: "set BT_BROWSER, or open the URL above",
      changed: "nothing",
    });
  }
  const { spawn } = await import("node:child_process");
  spawn(program, [url], { stdio: "ignore", detached: true, env: childEnv(io.env) }).unref();
}

const OPENERS = ["xdg-open", "open", "sensible-browser"];

/** First of these programs found in an absolute folder of PATH, never in the current folder. */
function findProgram(names: readonly string[], path = ""): string | undefined {
  const folders = path.split(":").filter(isAbsolute);
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
