import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { wholeNumber } from "../../api/number.ts";
import { folderToWrite } from "../../config/places.ts";
import { BtError, usage } from "../../errors.ts";
import { fileReason } from "../../file-reason.ts";
import type { FirstKey, Opened } from "../../tracker/open.ts";
import { type Served, serve } from "../../tracker/serve/serve.ts";
import type { Context } from "../context.ts";
import { type Input, textOf } from "../verb.ts";
import { droppingMails } from "./mail-drop.ts";
import { openData } from "./open-data.ts";
import { withReadsAside } from "./reads-aside.ts";

/** `bt serve`: puts the embedded tracker on a port until a signal ends it. */
export async function runServe(input: Input, context: Context): Promise<void> {
  const opened = openServed(input, context);
  const reads = withReadsAside(opened, isStrict(input), context.io);
  try {
    const served = await listen({ ...opened, tracker: reads.tracker }, input, context);
    try {
      await greet(served, opened, { input, context });
      await stopped(context.io.signal);
    } finally {
      await served.close();
    }
  } finally {
    reads.close();
    opened.close();
  }
}

function isStrict(input: Input): boolean {
  return input.flags["compat"] !== true;
}

function openServed(input: Input, context: Context): Opened {
  const file = textOf(input.flags["data"]);
  if (file !== undefined && input.flags["demo"]) throw usage("--data and --demo do not go together");
  const own = file === undefined ? "local:" : `local:${file}`;
  const place = {
    now: context.io.now,
    random: (count: number) => randomBytes(count),
    isStrict: isStrict(input),
    isChecked: true,
    dataDirectory: input.flags["demo"] || file !== undefined ? "" : folderToWrite("data", context.io.env),
  };
  return openData(input.flags["demo"] ? "demo:" : own, place, "--data /path/to/file.db");
}

const PORT = "8090";

async function listen(opened: Opened, input: Input, context: Context): Promise<Served> {
  const port = wholeNumber("port", textOf(input.flags["port"]) ?? PORT);
  if (port > 65_535) throw usage(`--port ${port} is not a port`);
  const host = textOf(input.flags["listen"]);
  const log = input.flags["log"] ? (line: string) => void context.io.err(`${line}\n`) : undefined;
  const folder = textOf(input.flags["mail-to"]);
  const tracker = folder === undefined ? opened.tracker : droppingMails(opened, folder, context.io);
  try {
    return await serve({ tracker, port, ...(host ? { host, names: [hostname()] } : {}), ...(log ? { log } : {}) });
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, { host, port });
  }
}

function cannotListen(
  { code = "", message }: NodeJS.ErrnoException,
  { host, port }: { readonly host: string | undefined; readonly port: number },
): BtError {
  const refusals: Readonly<Record<string, readonly [string, string]>> = {
    EADDRINUSE: [`port ${port} is taken`, "another port: --port 8091, or any that is free: --port 0"],
    EACCES: [`port ${port} is not for everybody`, "a port above 1023: --port 8090"],
    EADDRNOTAVAIL: [`${host} is not an address of this machine`, "all of its addresses: --listen 0.0.0.0"],
    ENOTFOUND: [`${host} is not an address of this machine`, "all of its addresses: --listen 0.0.0.0"],
  };
  const [why, hint] = refusals[code] ?? [`cannot listen: ${message}`, "another address: --listen 127.0.0.1"];
  return new BtError("local", why, { hint, changed: "nothing" });
}

type Around = { readonly input: Input; readonly context: Context };

/** The address goes out as data, so that a script can wait for it, and the key is kept by then; everything else is talk. */
async function greet(served: Served, opened: Opened, { input, context }: Around): Promise<void> {
  const first = firstKeyOf(opened);
  await context.io.out(`${served.url}\n`);
  const lines = [
    input.flags["demo"] ? "the demo is served; everybody may read it" : "the tracker is served",
    ...(first
      ? [
          `${first.login} has the key ${first.key}; it is shown this once${first.file ? ` and kept in ${first.file}` : ""}`,
        ]
      : []),
    ...(reachesOthers(textOf(input.flags["listen"]))
      ? ["warning: everybody who reaches this address can talk to it, unencrypted"]
      : []),
    `try: bt --base-url ${served.url} bug search --status CONFIRMED`,
    "stop it with Ctrl-C",
  ];
  await context.io.err(`${lines.join("\n")}\n`);
}

function reachesOthers(host = "localhost"): boolean {
  return !/^(?:localhost|127\.[\d.]+|::1)$/.test(host);
}

function firstKeyOf(opened: Opened): FirstKey | undefined {
  try {
    return opened.firstKey();
  } catch (error) {
    throw new BtError("local", `the owner's first key cannot be kept: ${fileReason(error)}`, {
      hint: "put the data into a folder of your own: bt serve --data FILE",
      changed: "nothing",
    });
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
