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
import { parsedUrl } from "../../wire/exchange.ts";
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
    const served = await listen(opened, tracker, { input, context });
    await printStart(served, opened, { input, context })
      .then(() => whenStopped(context.io.signal))
      .finally(() => served.close());
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

/** Before a tracker is created for it. @throws BtError of kind local, usage for an invalid port */
async function checkPlace(input: ServeInput): Promise<void> {
  const { port = PORT, listen: host = "127.0.0.1" } = input;
  if (port > 65_535) throw usageError(`invalid port ${port}`, "use 1 to 65535, or 0 for a free one");
  await listening(input, async () => {
    const probe = createServer().listen({ port, host });
    await once(probe, "listening");
    await new Promise((resolve) => probe.close(resolve));
  });
}

function listen({ maxBodyBytes }: OpenedTracker, tracker: Tracker, { input, context }: Around): Promise<RunningServer> {
  const { port = PORT, listen: host } = input;
  const log = input.log && { log: (line: string) => void context.io.err(`${line}\n`) };
  const place = host ? { host, names: [hostname()] } : {};
  return listening(input, () => startServer({ tracker, maxBodyBytes, port, ...place, ...log }));
}

/** Runs what listens there. @throws BtError of kind local if that fails */
async function listening<T>({ port = PORT, listen: host }: ServeInput, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const notHere = [`${host} is not an address of this machine`, "--listen 0.0.0.0 listens on all addresses"] as const;
    const refusals: Readonly<Record<string, readonly [string, string]>> = {
      EADDRINUSE: [`port ${port} is in use`, "use another port: --port 8091, or --port 0 for any free port"],
      EACCES: [`port ${port} requires root privileges`, "use a port above 1023: --port 8090"],
      EADDRNOTAVAIL: notHere,
      ENOTFOUND: notHere,
    };
    const [why, hint] = refusals[code] ?? [`cannot listen: ${message}`, "use another address: --listen 127.0.0.1"];
    throw new BtError("local", why, { hint });
  }
}

type Around = { readonly input: ServeInput; readonly context: Context };

/** Prints the URL to stdout, for scripts, after the first key is stored; the rest to stderr. */
async function printStart({ url }: RunningServer, opened: OpenedTracker, { input, context }: Around): Promise<void> {
  const first = storedFirstKey(opened);
  const file = first?.file;
  const isPrivate = /^(?:localhost|127\.[\d.]+|::1)$/.test(input.listen ?? "localhost");
  await context.io.out(`${url}\n`);
  const lines = [
    input.demo ? "serving the demo, readable by everybody" : "serving the tracker",
    first && `API key of ${first.login}: ${first.key} (shown only once${file ? `; stored in ${file}` : ""})`,
    !isPrivate && "warning: this address is open to the network and unencrypted",
    first && `log in: bt auth login ${url}${file ? ` --api-key-file ${shellWord(file)}` : ""}`,
    `try: bt --base-url ${url} bug search ${input.demo ? "is:open" : "--all"}`,
    "stop it with Ctrl-C",
  ];
  await context.io.err(lines.map((line) => (line ? `${line}\n` : "")).join(""));
}

function storedFirstKey(opened: OpenedTracker): FirstApiKey | undefined {
  try {
    return opened.firstKey();
  } catch (error) {
    throw new BtError("local", `cannot store the owner's API key: ${fileReason(error)}`, {
      hint: "use a writable folder: bt serve --data FILE",
    });
  }
}

async function whenStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/**
 * Delivery of mail to an SMTP server or a folder, which is created; undefined for no mail.
 * @throws BtError of kind usage for an invalid address, of kind local if the folder cannot be created
 */
function mailDelivery(destination: string | undefined): Deliver | undefined {
  if (destination === undefined) return undefined;
  if (/^smtps?:/.test(destination)) {
    checkServerAddress(destination);
    return deliverToServer(destination);
  }
  try {
    makeFolder(destination);
  } catch (error) {
    throw new BtError("local", `cannot create the mail folder: ${fileReason(error)}`);
  }
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

/** A tracker that has its mail sent after each write; now, what an earlier process left. */
function withMailSending(tracker: Tracker, send: Mailer): Tracker {
  void send();
  return async (request, origin) => {
    const response = await tracker(request, origin);
    if (request.method !== "GET") void send();
    return response;
  };
}
