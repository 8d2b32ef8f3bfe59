import { PERSON_FIELDS, ROLE_NAMES } from "../../wire/bug-fields.ts";
import type { Bug, Person } from "../bugs/bug.ts";
import type { FieldChange } from "../bugs/diff.ts";
import { fieldLabel, isTimeTracking } from "../fields.ts";

/** Content of a bug mail before it is filtered for a reader. */
export type BugMailData = {
  readonly bug: Bug; // after the change
  readonly author: Person;
  readonly isNew: boolean;
  readonly changes: readonly FieldChange[];
  readonly comment: { readonly text: string; readonly isPrivate: boolean } | undefined;
  readonly url: string; // URL of the bug; "" without `urlbase`
};

/** Rights of a mail's reader, and their roles in the bug. */
export type MailReader = {
  readonly isInsider: boolean;
  readonly isTimeTracker: boolean;
  readonly roles: readonly string[];
};

export type BugMail = { readonly subject: string; readonly body: string };

/** Mail about a change; undefined if the reader may see none of it. */
export function composeBugMail(event: BugMailData, reader: MailReader): BugMail | undefined {
  const { bug, isNew } = event;
  const changes = event.changes.filter(({ field }) => isVisible(field, reader));
  const comment = event.comment?.isPrivate && !reader.isInsider ? undefined : event.comment;
  if (!isNew && changes.length === 0 && !comment?.text) return undefined;
  const parts = [
    event.url,
    isNew ? newBugText(bug) : changesText(event.author, changes),
    commentText(event.author, comment),
  ];
  return composeMail(bug, { prefix: isNew ? "New: " : "", parts, roles: reader.roles });
}

/** Mail about a bug whose dependency was closed or reopened. */
export function composeDependencyMail(
  dependent: Bug,
  event: Omit<BugMailData, "comment" | "isNew">,
  { roles }: MailReader,
): BugMail {
  const { bug, author, url } = event;
  const changes = event.changes.filter(({ field }) => STATUS_FIELDS.has(field));
  const parts = [url, `It depends on bug ${bug.id}: ${bug.summary}`, changesText(author, changes)];
  return composeMail(dependent, { prefix: "", parts, roles });
}

const STATUS_FIELDS: ReadonlySet<string> = new Set(["bug_status", "resolution"]);

type MailParts = { readonly prefix: string; readonly parts: readonly string[]; readonly roles: readonly string[] };

function composeMail(bug: Bug, { prefix, parts, roles }: MailParts): BugMail {
  return {
    subject: `[Bug ${bug.id}] ${prefix}${bug.summary}`,
    body: `${parts.filter((part) => part !== "").join("\n\n")}\n\n-- \nYou get this mail as: ${roles.join(", ")}\n`,
  };
}

function isVisible(field: string, { isInsider, isTimeTracker }: MailReader): boolean {
  return (isTimeTracker || !isTimeTracking(field)) && (isInsider || field !== "longdescs.isprivate");
}

function newBugText(bug: Bug): string {
  return table([
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

function changesText({ login }: Person, changes: FieldChange[]): string {
  return changes.length === 0
    ? ""
    : `${login} changed:\n\n${table(changes.map(({ field, removed, added }) => [fieldLabel(field), `${valueText(removed)} -> ${valueText(added)}`]))}`;
}

function valueText(value: string): string {
  return value === "" ? "(empty)" : value.replace(/\s+/g, " ");
}

function commentText({ login }: Person, comment: BugMailData["comment"]): string {
  return comment?.text ? `${login} wrote${comment.isPrivate ? " (private)" : ""}:\n\n${comment.text}` : "";
}

function table(rows: [name: string, value: string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(width + 2)}${value}`).join("\n");
}

/** Recipient of a mail, and their roles: "assignee", "cc". */
export type Recipient = { readonly person: Person; readonly roles: readonly string[] };

/** Recipients of a change, each once: users with a role in the bug before or after it, requestees, and `others`. */
export function recipientsOf(before: Bug, after: Bug, others: RecipientRole[] = []): Recipient[] {
  const roles = new Map<number, { person: Person; roles: Set<string> }>();
  for (const { person, role } of [...recipientRoles(after), ...recipientRoles(before), ...others]) {
    const recipient = roles.get(person.id) ?? { person, roles: new Set() };
    recipient.roles.add(role);
    roles.set(person.id, recipient);
  }
  return [...roles.values()].map((recipient) => ({ person: recipient.person, roles: [...recipient.roles] }));
}

/** Role of a user in a bug or in a change. */
export type RecipientRole = { readonly role: string; readonly person: Person };

function recipientRoles(bug: Bug): RecipientRole[] {
  const roles: RecipientRole[] = [];
  for (const field of PERSON_FIELDS) {
    const person = bug[field];
    if (person) roles.push({ role: ROLE_NAMES[field], person });
  }
  for (const person of bug.cc) roles.push({ role: "cc", person });
  for (const { requestee, name } of bug.flags)
    if (requestee) roles.push({ role: `asked for ${name}`, person: requestee });
  return roles;
}
