import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SendMailOptions } from "nodemailer";
import { PERSON_FIELDS } from "../../wire/bug-fields.ts";
import { parsedUrl } from "../../wire/exchange.ts";
import type { Bug, Person } from "../bug.ts";
import type { FieldChange } from "../bugs/draft.ts";
import { isBugVisible } from "../bugs/find.ts";
import { bugUrl } from "../bugs/lists.ts";
import { type NewComment, presentCommentText } from "../comments/comments.ts";
import { fieldLabel, isTimeTracking } from "../fields.ts";
import type { Call } from "../http/call.ts";
import { asViewer, isInGroup, requireLogin } from "../http/requester.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import { deleteExpired, type Store } from "../store/store.ts";

/** Creation or update of a bug, for mails. */
type BugEvent = Pick<BugMailData, "isNew" | "changes"> & { before: Bug; after: Bug; comment: NewComment | undefined };

/** Queues mails about a change to all recipients with email enabled who may see some of it. @see Bugzilla/BugMail.pm */
export function queueBugMails(call: Call, { before, after, ...event }: BugEvent): void {
  const author = requireLogin(call);
  const { urlbase } = call.parameters;
  const url = urlbase === "" ? "" : bugUrl(urlbase, after.id);
  const comment = event.comment && { ...event.comment, text: mailText(call, event.comment) };
  for (const { person, roles } of changeRecipients(before, after)) {
    const reader = mailReader(call, { person, roles }, after);
    const mail = reader && composeBugMail({ ...event, bug: after, author, url, comment }, { ...reader, roles });
    if (mail) queueMail(call, { person, roles }, { bug: after.id, ...mail });
  }
}

function mailText({ store }: Call, comment: NewComment): string {
  const file = store.get<{ summary: string }>("SELECT summary FROM attachments WHERE id = ?", [comment.about]);
  return presentCommentText({ ...comment, file: file?.summary ?? "" });
}

function queueMail(call: Call, { person, roles }: Recipient, mail: BugMail & { bug: number }): void {
  deleteExpired(call.store, "outbox", call.now);
  call.store.run(INSERT_MAIL, { time: call.now, user: person.id, reasons: roles.join(", "), ...mail });
}

const INSERT_MAIL = `INSERT INTO outbox (time, user_id, bug_id, reasons, subject, body)
  VALUES (@time, @user, @bug, @reasons, @subject, @body)`;

/** What the recipient may read; undefined for a recipient who does not see the bug, or wants no mail. */
function mailReader(call: Call, { person }: Recipient, { id }: Bug): Omit<MailReader, "roles"> | undefined {
  const { insidergroup, timetrackinggroup } = call.parameters;
  if (!call.store.get(ACCEPTS_MAIL, [person.id])) return undefined;
  return asViewer(call, person.id, (viewer) =>
    isBugVisible(call.store, id)
      ? { isInsider: isInGroup(viewer, insidergroup), isTimeTracker: isInGroup(viewer, timetrackinggroup) }
      : undefined,
  );
}

const ACCEPTS_MAIL = "SELECT id FROM users WHERE id = ? AND email_enabled AND disabled_text = ''";

/** A queued mail. */
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
export function waitingMails(store: Store, now: Date): OutboxMail[] {
  const { mailfrom, urlbase } = readServerParameters(store);
  deleteExpired(store, "outbox", now.toISOString());
  return store
    .all<Omit<OutboxMail, "from" | "host">>(WAITING_MAILS)
    .map((mail) => ({ ...mail, from: mailfrom, host: parsedUrl(urlbase)?.hostname ?? "localhost" }));
}

const WAITING_MAILS = `
  SELECT outbox.id, outbox.time, users.login AS "to", bug_id, reasons, subject, body
  FROM outbox JOIN users ON users.id = outbox.user_id ORDER BY outbox.id`;

/** Removes a mail from the queue. */
export function deleteMail(store: Store, id: number): void {
  store.run("DELETE FROM outbox WHERE id = ?", [id]);
}

/** Content of a bug mail before it is filtered for a reader. */
export type BugMailData = {
  bug: Bug; // after the change
  author: Person;
  isNew: boolean;
  changes: FieldChange[];
  comment: { text: string; isPrivate: boolean } | undefined;
  url: string; // URL of the bug; "" without `urlbase`
};

/** Rights of a mail's reader, and their roles in the bug. */
export type MailReader = {
  isInsider: boolean;
  isTimeTracker: boolean;
  roles: string[];
};

export type BugMail = { subject: string; body: string };

/** Mail about a change; undefined if the reader may see none of it. */
export function composeBugMail(event: BugMailData, reader: MailReader): BugMail | undefined {
  const { bug, isNew } = event;
  const changes = event.changes.filter(({ field }) => maySeeField(field, reader));
  const comment = event.comment?.isPrivate && !reader.isInsider ? undefined : event.comment;
  if (!isNew && changes.length === 0 && !comment?.text) return undefined;
  const news = isNew ? newBugText(bug) : mailChanges(event.author, changes);
  const parts = [event.url, news, mailComment(event.author, comment)].filter((part) => part !== "");
  return {
    subject: `[Bug ${bug.id}] ${isNew ? "New: " : ""}${bug.summary}`,
    body: `${parts.join("\n\n")}\n\n-- \nYou get this mail as: ${reader.roles.join(", ")}\n`,
  };
}

function maySeeField(field: string, { isInsider, isTimeTracker }: MailReader): boolean {
  return (isTimeTracker || !isTimeTracking(field)) && (isInsider || field !== "longdescs.isprivate");
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

function mailChanges({ login }: Person, changes: FieldChange[]): string {
  if (changes.length === 0) return "";
  const rows = changes.map(({ field, removed, added }): [string, string] => [
    fieldLabel(field),
    `${mailValue(removed)} -> ${mailValue(added)}`,
  ]);
  return `${login} changed:\n\n${mailTable(rows)}`;
}

function mailValue(value: string): string {
  return value === "" ? "(empty)" : value.replace(/\s+/g, " ");
}

function mailComment({ login }: Person, comment: BugMailData["comment"]): string {
  return comment?.text ? `${login} wrote${comment.isPrivate ? " (private)" : ""}:\n\n${comment.text}` : "";
}

function mailTable(rows: [name: string, value: string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(width + 2)}${value}`).join("\n");
}

/** Recipient of a mail, and their roles: "assignee", "cc". */
export type Recipient = { person: Person; roles: string[] };

/** Recipients of a change, each once: users with a role in the bug before or after it, and requestees. */
export function changeRecipients(before: Bug, after: Bug): Recipient[] {
  const roles = new Map<number, { person: Person; roles: Set<string> }>();
  for (const { person, role } of [...recipientRoles(after), ...recipientRoles(before)]) {
    const recipient = roles.get(person.id) ?? { person, roles: new Set() };
    recipient.roles.add(role);
    roles.set(person.id, recipient);
  }
  return [...roles.values()].map((recipient) => ({ person: recipient.person, roles: [...recipient.roles] }));
}

/** Role of a user in a bug or in a change. */
export type RecipientRole = { readonly role: string; readonly person: Person };

const ROLES = { assigned_to: "assignee", creator: "reporter", qa_contact: "QA contact" } as const;

function recipientRoles(bug: Bug): RecipientRole[] {
  const roles: RecipientRole[] = [];
  for (const field of PERSON_FIELDS) {
    const person = bug[field];
    if (person) roles.push({ role: ROLES[field], person });
  }
  for (const person of bug.cc) roles.push({ role: "cc", person });
  for (const { requestee, name } of bug.flags)
    if (requestee) roles.push({ role: `asked for ${name}`, person: requestee });
  return roles;
}

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
