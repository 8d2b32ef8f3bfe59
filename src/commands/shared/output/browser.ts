import { requestFor } from "../../../api/operations/operation.ts";
import { VERSION } from "../../../api/operations/tracker.ts";
import { BtError, usageError } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { childEnv, findProgram } from "../../../platform.ts";
import type { Context } from "../../verb.ts";

/**
 * Address of the tracker's pages; a response may first deny it.
 * @throws BtError of kind usage if it has none
 */
export async function readWebAddress({ session }: Context): Promise<string> {
  if (session.webAddress() !== undefined) {
    await session.send(requestFor(VERSION)).catch(() => undefined); // pages may be open where the interface is closed
  }
  const web = session.webAddress();
  if (web === undefined) throw usageError(`${session.address} has no web interface`);
  return web;
}

/** Opens a page in the user's browser; without a terminal, prints its URL. */
export async function openInBrowser(url: string, { io, session }: Context): Promise<void> {
  if (!io.terminal.stdout) return io.out(`${url}\n`);
  const program = browserCommand(io, session.settings.browser);
  await io.err(`${url}\n`);
  if (program === undefined) {
    throw new BtError("local", "no browser found", {
      hint: "set BT_BROWSER, or open the URL above",
    });
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(program, [url], { stdio: "ignore", detached: true, env: childEnv(io.env) });
  child.on("error", () => undefined); // the URL is printed
  child.unref();
}

const BROWSERS = ["xdg-open", "sensible-browser", "wslview"];

/** The user's browser, or a program of the system that opens it; undefined if there is none. */
export function browserCommand({ env }: Pick<Io, "env">, setting: string | undefined): string | undefined {
  const named = [env["BT_BROWSER"], setting, env["BROWSER"]].find(Boolean);
  const programs = (named ? [named] : BROWSERS).map((name) => findProgram(name, env));
  return programs.find(Boolean);
}
