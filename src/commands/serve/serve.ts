import { once } from "node:events";
import { hostname } from "node:os";
import { makeFolder, replaceFile } from "../../config/files.ts";
import { BtError, fileReason, usageError } from "../../errors.ts";
import { openEmbedded } from "../../session/embedded.ts";
import { createMailer, type Deliver, deliverToFolder, deliverToServer, type Mailer } from "../../tracker/mail/mail.ts";
import type { OpenedTracker } from "../../tracker/open.ts";
import { type RunningServer, startServer } from "../../tracker/server/server.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { plain } from "../../view/text.ts";
import { parsedUrl } from "../../wire/exchange.ts";
import { shellWord } from "../shared/flags.ts";
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

const DEFAULT_PORT = 8090;

/** `bt serve`: serves the embedded tracker until a stop signal. */
export async function runServe(input: ServeInput, context: Context): Promise<void> {
  const { now, err } = context.io;
  const { port = DEFAULT_PORT } = input;
  if (port > 65_535) throw usageError(`invalid port ${port}`, "use 1 to 65535, or 0 for a free one");
  const deliver = mailDelivery(input.mail);
  const opened = await openServedTracker(input, context);
  const sendMail = deliver
    ? createMailer(opened.store, deliver, now, (line) => void err(`${plain(line)}\n`))
    : async () => undefined;
  const tracker = withMailSending(opened.tracker, sendMail);
  try {
    const served = await listen(tracker, input, context);
    await printStart(served, opened, input, context)
      .then(() => whenStopped(context.io.signal))
      .finally(() => served.close());
  } finally {
    await sendMail();
    opened.close();
  }
}

async function openServedTracker({ data: file, demo }: ServeInput, context: Context): Promise<OpenedTracker> {
  if (file !== undefined && demo) throw usageError("--data and --demo cannot be used together");
  const address = demo ? "demo:" : `local:${file ?? ""}`;
  return openEmbedded(address, { isChecked: true }, context.io);
}

/** @throws BtError of kind local if nothing can listen there */
async function listen(tracker: Tracker, input: ServeInput, context: Context): Promise<RunningServer> {
  const { port = DEFAULT_PORT, listen: host } = input;
  const log = input.log && { log: (line: string) => void context.io.err(`${line}\n`) };
  const hosts = host ? { host, names: [hostname()] } : {};
  try {
    return await startServer({ tracker, port, ...hosts, ...log });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? `port ${port} is in use` : `cannot listen: ${message}`;
    throw new BtError("local", why, { hint: "use another --port (0: any free one) or --listen" });
  }
}

/** Stores the first key of a new tracker, then prints the URL to stdout, for scripts, and how to use it to stderr. */
async function printStart(
  { url }: RunningServer,
  opened: OpenedTracker,
  input: ServeInput,
  context: Context,
): Promise<void> {
  const firstKey = opened.addFirstKey((path, key) => replaceFile(path, `${key}\n`));
  const file = firstKey?.file;
  const isPrivate = /^(?:localhost|127\.[\d.]+|::1)$/.test(input.listen ?? "localhost");
  await context.io.out(`${url}\n`);
  const lines = [
    input.demo ? "serving the demo, readable by everybody" : "serving the tracker",
    firstKey && `API key of ${firstKey.login}: ${firstKey.key} (shown only once${file ? `; stored in ${file}` : ""})`,
    !isPrivate && "warning: this address is open to the network and unencrypted",
    firstKey && `log in: bt auth login ${url}${file ? ` --api-key-file ${shellWord(file)}` : ""}`,
    `try: bt --base-url ${url} bug search ${input.demo ? "is:open" : "--all"}`,
    "stop it with Ctrl-C",
  ];
  await context.io.err(lines.map((line) => (line ? `${line}\n` : "")).join(""));
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
    checkMailServer(destination);
    return deliverToServer(destination);
  }
  try {
    makeFolder(destination);
  } catch (error) {
    throw new BtError("local", `cannot create the mail folder: ${fileReason(error)}`);
  }
  return deliverToFolder(destination);
}

function checkMailServer(address: string): void {
  const url = parsedUrl(address);
  if (url?.username || url?.password)
    throw usageError(
      "refusing to read a password from the command line, where other users can see it",
      "use a mail server that accepts mail from this machine without one",
    );
  if (!url?.hostname)
    throw usageError(`invalid address of a mail server: ${address}`, "for example: --mail smtp://localhost:25");
}

/** A tracker that has its mail sent after each write. */
function withMailSending(tracker: Tracker, send: Mailer): Tracker {
  void send(); // mail that an earlier process left in the queue
  return async (request) => {
    const response = await tracker(request);
    if (request.method !== "GET") void send();
    return response;
  };
}
