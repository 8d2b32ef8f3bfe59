import { once } from "node:events";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { makeFolder } from "../../config/files.ts";
import { BtError, fileReason, usageError } from "../../errors.ts";
import { openEmbedded } from "../../session/embedded.ts";
import { createMailer, type Deliver, deliverToFolder, deliverToServer, type Mailer } from "../../tracker/mail/mail.ts";
import type { FirstApiKey, OpenedTracker } from "../../tracker/open.ts";
import { type RunningServer, startServer } from "../../tracker/server/server.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { plain } from "../../view/text.ts";
import { parsedUrl } from "../../wire/url.ts";
import { shellWord } from "../shared/shell-word.ts";
import type { Context } from "../verb.ts";

/** Input of `bt serve`. */
type ServeInput = {
  readonly data?: string | undefined;
  readonly demo: boolean;
  readonly port?: number | undefined;
  readonly listen?: string | undefined;
  readonly mail?: string | undefined;
  readonly log: boolean;
};

/** `bt serve`: serves the embedded tracker until a stop signal. */
export async function runServe(input: ServeInput, context: Context): Promise<void> {
  const { now, err } = context.io;
  const deliver = mailDelivery(input.mail);
  await checkPlace(input);
  const opened = await openServed(input, context);
  const sendMail = deliver
    ? createMailer(opened.store, deliver, now, (line) => void err(`${plain(line)}\n`))
    : async () => undefined;
  const tracker = withMailSending(opened.tracker, sendMail);
  try {
    const served = await listenOrFail({ ...opened, tracker }, input, context);
    try {
      await printStart(served, opened, { input, context });
      await whenStopped(context.io.signal);
    } finally {
      await served.close();
    }
  } finally {
    await sendMail();
    opened.close();
  }
}

async function openServed({ data: file, demo }: ServeInput, context: Context): Promise<OpenedTracker> {
  if (file !== undefined && demo) throw usageError("--data and --demo cannot be used together");
  const own = file === undefined ? "local:" : `local:${file}`;
  const options = { isStrict: true, isChecked: true, another: "--data /path/to/file.db" };
  return openEmbedded(demo ? "demo:" : own, options, context.io);
}

const PORT = 8090;

/** @throws BtError of kind local if nothing can listen there, before a tracker is created for it */
async function checkPlace({ port = PORT, listen: host }: ServeInput): Promise<void> {
  if (port > 65_535) throw usageError(`invalid port ${port}`, "use 1 to 65535, or 0 for a free one");
  try {
    const probe = createServer().listen({ port, host: host ?? "127.0.0.1" });
    await once(probe, "listening");
    await new Promise((resolve) => probe.close(resolve));
  } catch (error) {
    throw cannotListenError(error as NodeJS.ErrnoException, { host, port });
  }
}

async function listenOrFail(opened: OpenedTracker, input: ServeInput, context: Context): Promise<RunningServer> {
  const { port = PORT, listen: host } = input;
  const log = input.log ? (line: string) => void context.io.err(`${line}\n`) : undefined;
  try {
    return await startServer({
      tracker: opened.tracker,
      maxBodyBytes: opened.maxBodyBytes,
      port,
      ...(host ? { host, names: [hostname()] } : {}),
      ...(log ? { log } : {}),
    });
  } catch (error) {
    throw cannotListenError(error as NodeJS.ErrnoException, { host, port });
  }
}

function cannotListenError(
  { code = "", message }: NodeJS.ErrnoException,
  { host, port }: { host: string | undefined; port: number },
): BtError {
  const refusals: Readonly<Record<string, [string, string]>> = {
    EADDRINUSE: [`port ${port} is in use`, "use another port: --port 8091, or --port 0 for any free port"],
    EACCES: [`port ${port} requires root privileges`, "use a port above 1023: --port 8090"],
    EADDRNOTAVAIL: [`${host} is not an address of this machine`, "--listen 0.0.0.0 listens on all addresses"],
    ENOTFOUND: [`${host} is not an address of this machine`, "--listen 0.0.0.0 listens on all addresses"],
  };
  const [why, hint] = refusals[code] ?? [`cannot listen: ${message}`, "use another address: --listen 127.0.0.1"];
  return new BtError("local", why, { hint, changed: "nothing" });
}

type Around = { input: ServeInput; context: Context };

/**
 * Prints the URL to stdout, so that a script can wait for it, after the first key is stored; everything else goes to
 * stderr.
 */
async function printStart(served: RunningServer, opened: OpenedTracker, { input, context }: Around): Promise<void> {
  const first = firstKeyIn(opened);
  await context.io.out(`${served.url}\n`);
  const lines = [input.demo ? "serving the demo, readable by everybody" : "serving the tracker"];
  if (first) {
    const stored = first.file ? `; stored in ${first.file}` : "";
    lines.push(`API key of ${first.login}: ${first.key} (shown only once${stored})`);
  }
  if (isReachableByOthers(input.listen)) lines.push("warning: this address is open to the network and unencrypted");
  if (first) {
    const keyFile = first.file ? ` --api-key-file ${shellWord(first.file)}` : "";
    lines.push(`log in: bt auth login ${served.url}${keyFile}`);
  }
  lines.push(`try: bt --base-url ${served.url} bug search ${input.demo ? "is:open" : "--all"}`, "stop it with Ctrl-C");
  await context.io.err(`${lines.join("\n")}\n`);
}

function isReachableByOthers(host = "localhost"): boolean {
  return !/^(?:localhost|127\.[\d.]+|::1)$/.test(host);
}

function firstKeyIn(opened: OpenedTracker): FirstApiKey | undefined {
  try {
    return opened.firstKey();
  } catch (error) {
    throw new BtError("local", `cannot store the owner's API key: ${fileReason(error)}`, {
      hint: "use a writable folder: bt serve --data FILE",
      changed: "nothing",
    });
  }
}

function whenStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Delivery of mail to an SMTP server or a folder, which is created; undefined for no mail.
 * @throws BtError of kind usage if the address of a server is invalid, of kind local if the folder cannot be created
 */
function mailDelivery(destination: string | undefined): Deliver | undefined {
  if (destination === undefined) return undefined;
  if (/^smtps?:/.test(destination)) {
    checkServerAddress(destination);
    return deliverToServer(destination);
  }
  createMailFolder(destination);
  return deliverToFolder(destination);
}

function checkServerAddress(address: string): void {
  const url = parsedUrl(address);
  if (url?.username || url?.password)
    throw usageError(
      "refusing to read a password from the command line, where other users can see it",
      "use a mail server that accepts mail from this machine without one",
    );
  if (!url?.hostname)
    throw usageError(`invalid address of a mail server: ${address}`, "for example: --mail smtp://localhost:25");
}

function createMailFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new BtError("local", `cannot create the mail folder: ${fileReason(error)}`, { changed: "nothing" });
  }
}

/** A tracker that has its mail sent after each write, and now what an earlier process has left in the queue. */
function withMailSending(tracker: Tracker, send: Mailer): Tracker {
  void send();
  return async (request, origin) => {
    const response = await tracker(request, origin);
    if (request.method !== "GET") void send();
    return response;
  };
}
