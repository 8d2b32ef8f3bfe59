import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { onTestFinished } from "vitest";
import { btConnected, words } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { type Act, answer, type FaultServer, faultServer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { decent } from "./defaults.ts";

/** Outcome of a command against a server that is told byte for byte what to do. */
export type RawRun = {
  readonly code: number;
  readonly out: string;
  readonly err: string; // the port shown as PORT
  readonly ms: number;
  readonly waits: readonly number[]; // what it wanted to wait between tries, in milliseconds; nothing was waited
  readonly server: FaultServer;
};

/** Surroundings of a raw run beside its words. */
export type RawGiven = {
  readonly act?: Act;
  readonly server?: Parameters<typeof faultServer>[1];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: (url: string) => string; // another address than the server's own
};

/** A home with the login of a key, so that nothing but the command is sent. */
export function homeWithLogin(origin: string, { key = CANARY, style = "query", mode = 0o600 } = {}): string {
  const home = freshFolder();
  const file = join(home, ".config/bt/credentials.json");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const entries = [{ origin, user: "me@example.org", style, key }];
  writeFileSync(file, JSON.stringify({ version: 1, entries }), { mode });
  chmodSync(file, mode);
  return home;
}

/** The variables of a run with a login, unless they have a key, or an empty one for none. */
function loggedIn(url: string, { env = {} }: RawGiven) {
  if (env["BT_API_KEY"] !== undefined) return { HOME: freshFolder(), BT_BASE_URL: url, ...env };
  const home = homeWithLogin(url, { style: env["BT_AUTH_STYLE"] ?? "query" });
  return { HOME: home, XDG_CONFIG_HOME: `${home}/.config`, BT_BASE_URL: url, ...env };
}

/** Runs one command, by default a read of one bug, against a raw server; a fresh home, a login, and no real waiting. */
export async function rawRun(given: RawGiven, line = "bug get 7"): Promise<RawRun> {
  const server = await faultServer(given.act ?? (() => undefined), given.server);
  onTestFinished(server.close);
  const url = given.url ? given.url(server.url) : server.url;
  const env = loggedIn(url, given);
  const waits: number[] = [];
  const started = performance.now();
  const ran = decent(await btConnected(line, { env, waits }), {
    keys: [CANARY],
    home: env.HOME,
    wantsStack: line.includes("-vv"),
  });
  const told = ran.err.replaceAll(String(server.port), "PORT");
  return { ...ran, err: told, ms: performance.now() - started, waits, server };
}

/** The same as a process of its own, which waits as long as it wants to, and may not hold more than 200 MiB. */
export async function rawProcess(given: RawGiven, line = "bug get 7"): Promise<Omit<RawRun, "waits">> {
  const server = await faultServer(given.act ?? (() => undefined), given.server);
  onTestFinished(server.close);
  const url = given.url ? given.url(server.url) : server.url;
  const env = loggedIn(url, given);
  const end = decent(await start(words(line), env).end, { keys: [CANARY], home: env.HOME });
  return { ...end, code: end.code ?? -1, err: end.err.replaceAll(String(server.port), "PORT"), server };
}

/** A key that must be found nowhere but where it belongs. */
export const CANARY = "c4naryKey0123456789abcdefABCDEF";

/** An answer with one bug, as Get Bug gives it. */
export const GOOD = answer('{"bugs":[{"id":7,"summary":"Crash"}],"faults":[]}');

/** Answers with these bytes. */
export function says(text: string | Buffer): Act {
  return (socket) => void socket.write(text);
}

/** Goes wrong for the first requests, and well from then on. */
export function firstly(act: Act, times = 1): Act {
  return (socket, heard, count) => (count <= times ? act(socket, heard, count) : socket.write(GOOD));
}

/** Resets the connection once what was written before is out. */
export function thenReset(socket: Socket, text: string): void {
  socket.write(text, () => socket.resetAndDestroy());
}
