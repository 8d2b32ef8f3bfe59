import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SendMailOptions } from "nodemailer";
import { PERSON_FIELDS } from "../../wire/bug-fields.ts";
import { parsedUrl } from "../../wire/exchange.ts";
import {
  type BugDraft,
  type FieldChange,
  isBugVisible,
  isNew,
  type NewComment,
  presentCommentText,
} from "../bugs/draft.ts";
import { bugUrl } from "../bugs/lists.ts";
import { type Bug, fieldLabel, isTimeTracking, type Person } from "../fields.ts";
import { asViewer, type Call, isInGroup, loadServerParameters, type Requester, requireLogin } from "../http/call.ts";
import { deleteExpired, type Store } from "../store/store.ts";

/** Queues a mail to everybody with a role in the bug, before or after, who may see some of what happened. @see Bugzilla/BugMail.pm */
export function queueBugMails(call: Call, draft: BugDraft, changes: readonly FieldChange[]): void {
  const { store, now } = call;
  const { after, before } = draft;
  deleteExpired(store, "outbox", now);
  for (const [user, roles] of rolesByUser([after, before])) {
    const acceptsMail = store.get(ACCEPTS_MAIL, [user]) !== undefined;
    const text = acceptsMail ? asViewer(call, user, (reader) => mailText(call, draft, changes, reader)) : undefined;
    if (text === undefined) continue;
    const subject = `[Bug ${after.id}] ${isNew(draft) ? "New: " : ""}${after.summary}`;
    const reasons = [...roles].join(", ");
    const body = `${text}\n\n-- \nYou get this mail as: ${reasons}\n`;
    store.run(INSERT_MAIL, { now, user, bug: after.id, reasons, subject, body });
  }
}

const ACCEPTS_MAIL = "SELECT id FROM users WHERE id = ? AND email_enabled AND disabled_text = ''";
const INSERT_MAIL = `INSERT INTO outbox (time, user_id, bug_id, reasons, subject, body)
  VALUES (@now, @user, @bug, @reasons, @subject, @body)`;

const ROLES = { assigned_to: "assignee", creator: "reporter", qa_contact: "QA contact" } as const;

/** The roles of users in states of a bug, by id; the roles in the first state come first. */
function rolesByUser(states: readonly Bug[]): ReadonlyMap<number, ReadonlySet<string>> {
  const roles = new Map<number, Set<string>>();
  const add = (role: string, person: Person | null) => {
    if (person) roles.set(person.id, (roles.get(person.id) ?? new Set()).add(role));
  };
  for (const bug of states) {
    for (const field of PERSON_FIELDS) add(ROLES[field], bug[field]);
    for (const person of bug.cc) add("cc", person);
    for (const { requestee, name } of bug.flags) add(`asked for ${name}`, requestee);
  }
  return roles;
}

/** Text of what the reader, who is the viewer here, may see; undefined if that is nothing. */
function mailText(call: Call, draft: BugDraft, changes: readonly FieldChange[], reader: Requester): string | undefined {
  const { after, comment } = draft;
  const { insidergroup, timetrackinggroup, urlbase } = call.parameters;
  if (!isBugVisible(call.store, after.id)) return undefined;
  const isInsider = isInGroup(reader, insidergroup);
  const isTimeTracker = isInGroup(reader, timetrackinggroup);
  const visibleChanges = changes.filter(
    ({ field }) => (isTimeTracker || !isTimeTracking(field)) && (isInsider || field !== "longdescs.isprivate"),
  );
  const author = requireLogin(call).login;
  const parts = [
    isNew(draft) ? newBugText(after) : changesText(author, visibleChanges),
    comment && (isInsider || !comment.isPrivate) ? commentText(call.store, author, comment) : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return [...(urlbase === "" ? [] : [bugUrl(urlbase, after.id)]), ...parts].join("\n\n");
}

function newBugText(bug: Bug): string {
  return mailTable([
    ["Product", bug.product.name],
    ["Component", bug.component.name],
    ["Version", bug.version],
    ["Status", bug.status],
    ["Severity", bug.severity],
    ["Priority", bug.priority],
    ["Assignee", bug.assigned_to.login],
    ["Reporter", bug.creator.login],
  ]);
}

function changesText(author: string, changes: readonly FieldChange[]): string {
  const shown = (value: string) => (value === "" ? "(empty)" : value.replace(/\s+/g, " "));
  const rows = changes.map(({ field, removed, added }) => [fieldLabel(field), `${shown(removed)} -> ${shown(added)}`]);
  return rows.length === 0 ? "" : `${author} changed:\n\n${mailTable(rows)}`;
}

function commentText(store: Store, author: string, comment: NewComment): string {
  const [file = ""] = store.values<string>("SELECT summary FROM attachments WHERE id = ?", [comment.about]);
  const text = presentCommentText(comment, file);
  return text === "" ? "" : `${author} wrote${comment.isPrivate ? " (private)" : ""}:\n\n${text}`;
}

function mailTable(rows: readonly string[][]): string {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(width + 2)}${value}`).join("\n");
}

export type OutboxMail = {
  id: number;
  time: string; // ISO 8601
  from: string;
  to: string;
  host: string; // domain of the Message-ID
  bug_id: number;
  reasons: string;
  subject: string;
  body: string;
};

/** Queued mails, oldest first; those that have waited too long are deleted. */
export function queuedMails(store: Store, now: Date): OutboxMail[] {
  const { mailfrom, urlbase } = loadServerParameters(store);
  deleteExpired(store, "outbox", now.toISOString());
  return store
    .all<Omit<OutboxMail, "from" | "host">>(QUEUED_MAILS)
    .map((mail) => ({ ...mail, from: mailfrom, host: parsedUrl(urlbase)?.hostname ?? "localhost" }));
}

const QUEUED_MAILS = `
  SELECT outbox.id, outbox.time, users.login AS "to", bug_id, reasons, subject, body
  FROM outbox JOIN users ON users.id = outbox.user_id ORDER BY outbox.id`;

/** Sends a mail, or writes it to a file. @throws Error if that fails */
export type Deliver = (mail: OutboxMail) => Promise<void>;

/** Sends what is queued, after what is being sent; mails that fail stay in the queue. The promise never rejects. */
export type Mailer = () => Promise<void>;

/** A mailer for the queue of a tracker; `report` receives a line about what could not be sent. */
export function createMailer(store: Store, deliver: Deliver, now: () => Date, report: (line: string) => void): Mailer {
  let isWaiting = false; // a run has not started yet, and will send what is queued by then
  let lastRun = Promise.resolve();

  async function sendQueued(): Promise<void> {
    isWaiting = false;
    for (const mail of queuedMails(store, now())) {
      await deliver(mail).catch((error: Error) => {
        if (!isRefused(error)) throw error;
        report(`cannot send a mail to ${mail.to}: ${error.message}`);
      });
      store.run("DELETE FROM outbox WHERE id = ?", [mail.id]);
    }
  }

  const reportFailure = ({ message }: Error) => report(`cannot send mail, retrying after the next change: ${message}`);

  return () => {
    if (!isWaiting) lastRun = lastRun.then(sendQueued).catch(reportFailure);
    isWaiting = true;
    return lastRun;
  };
}

/** True if a server refuses the recipient for good, so that the next mails need not wait for this one. */
function isRefused(error: Error & { command?: unknown; responseCode?: unknown }): boolean {
  return error.command === "RCPT TO" && Number(error.responseCode) >= 500;
}

const SMTP_TIMEOUT_MS = 10_000;

/** Delivery to an SMTP server, `smtp://host:port`. Uses TLS if the server offers it; sends no credentials. */
export function deliverToServer(url: string): Deliver {
  return async (mail) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      url,
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
      tls: { rejectUnauthorized: url.startsWith("smtps:") }, // opportunistic, as between mail servers
    });
    await transport.sendMail(mailMessage(mail));
  };
}

/** Delivery to a folder, as one .eml file for each mail. */
export function deliverToFolder(folder: string): Deliver {
  return async (mail) => {
    const { createTransport } = await import("nodemailer");
    const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
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
