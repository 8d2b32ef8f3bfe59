import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Store } from "../store/store.ts";
import { deleteMail, type OutboxMail, waitingMails } from "./queue.ts";

/** Sends a mail, or writes it to a file. @throws Error if that fails */
export type Deliver = (mail: OutboxMail) => Promise<void>;

/** Sends what is queued, after what is being sent; mails that fail stay in the queue. The promise never rejects. */
export type Mailer = () => Promise<void>;

/** A mailer for the queue of a tracker; `report` receives a line about what could not be sent. */
export function createMailer(store: Store, deliver: Deliver, now: () => Date, report: (line: string) => void): Mailer {
  let isQueued = false;
  let sending = Promise.resolve();

  async function sendQueued(): Promise<void> {
    isQueued = false;
    for (const mail of waitingMails(store, now())) {
      await deliver(mail).catch((error: Error) => {
        if (!isRefused(error)) throw error;
        report(`cannot send a mail to ${mail.to}: ${error.message}`);
      });
      deleteMail(store, mail.id);
    }
  }

  const reportFailure = ({ message }: Error) => report(`cannot send mail, retrying after the next change: ${message}`);

  return () => {
    if (!isQueued) sending = sending.then(sendQueued).catch(reportFailure);
    isQueued = true;
    return sending;
  };
}

/** True if a server refuses the recipient for good, so that the next mails need not wait for this one. */
function isRefused(error: Error & { command?: unknown; responseCode?: unknown }): boolean {
  return error.command === "RCPT TO" && Number(error.responseCode) >= 500;
}

const SMTP_TIMEOUT_MS = 10_000;

/** Delivery to an SMTP server, `smtp://host:port`. Uses TLS if the server offers it; sends no credentials. */
export function deliverToServer(url: string): Deliver {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    tls: { rejectUnauthorized: url.startsWith("smtps:") }, // opportunistic, as between mail servers
  });
  return async (mail) => void (await transport.sendMail(mailMessage(mail)));
}

/** Delivery to a folder, as one .eml file for each mail. */
export function deliverToFolder(folder: string): Deliver {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return async (mail) => {
    const { message: bytes } = await composer.sendMail(mailMessage(mail));
    const file = join(folder, `${mail.id}-bug-${mail.bug_id}.eml`);
    writeFileSync(`${file}.part`, bytes as Buffer, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
}

function mailMessage({ id, time, from, to, host, bug_id, reasons, subject, body }: OutboxMail): SendMailOptions {
  return {
    date: new Date(time),
    from,
    to: { name: "", address: to },
    subject,
    text: body,
    messageId: `<bug-${bug_id}-${id}@${host}>`,
    references: `<bug-${bug_id}@${host}>`,
    headers: { "Auto-Submitted": "auto-generated", "X-Bugzilla-Reason": reasons },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
