import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Deliver } from "./mailer.ts";
import type { OutboxMail } from "./queue.ts";

const SMTP_TIMEOUT_MS = 10_000;

/** Delivery to an SMTP server, `smtp://host:port`. Uses TLS if the server offers it; sends no credentials. */
export function toServer(url: string): Deliver {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    tls: { rejectUnauthorized: url.startsWith("smtps:") }, // opportunistic, as between mail servers
  });
  return async (mail) => void (await transport.sendMail(message(mail)));
}

/** Delivery to a folder, as one .eml file for each mail. */
export function toFolder(folder: string): Deliver {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return async (mail) => {
    const { message: bytes } = await composer.sendMail(message(mail));
    const file = join(folder, `${mail.id}-bug-${mail.bug_id}.eml`);
    writeFileSync(`${file}.part`, bytes as Buffer, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
}

function message({ id, time, from, to, host, bug_id, reasons, subject, body }: OutboxMail): SendMailOptions {
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
