import type { Bug, Person } from "../bugs/bug.ts";
import type { FieldChange } from "../bugs/diff.ts";
import { fieldLabel, TIME_TRACKING_FIELDS } from "../bugs/field-names.ts";

/** What happened to a bug, as far as a mail tells of it. */
export type BugMailData = {
  readonly bug: Bug; // as it is now
  readonly who: Person;
  readonly isNew: boolean;
  readonly changes: readonly FieldChange[];
  readonly comment: { readonly text: string; readonly isPrivate: boolean } | undefined;
  readonly page: string; // where the bug can be seen; empty where there is no such place
};

/** What a reader may know beside what everybody may. */
export type MailReader = {
  readonly isInsider: boolean;
  readonly isTimeTracker: boolean;
  readonly roles: readonly string[];
};

/** A mail's content. */
export type BugMail = { readonly subject: string; readonly body: string };

/** What to write to a reader; nothing when there is nothing that he may know. */
export function composeBugMail(news: BugMailData, reader: MailReader): BugMail | undefined {
  const { bug, isNew } = news;
  const changes = news.changes.filter(({ field }) => mayKnow(field, reader));
  const comment = news.comment?.isPrivate && !reader.isInsider ? undefined : news.comment;
  if (!isNew && changes.length === 0 && !comment?.text) return undefined;
  const parts = [news.page, isNew ? newBugText(bug) : changesText(news.who, changes), commentText(news.who, comment)];
  return composeMail(bug, { start: isNew ? "New: " : "", parts, roles: reader.roles });
}

/** What to write to those whom a bug concerns that waits for another one, when that one was closed or opened again. */
export function composeDependencyMail(
  waiting: Bug,
  news: Omit<BugMailData, "comment" | "isNew">,
  { roles }: MailReader,
): BugMail {
  const { bug, who, page } = news;
  const changes = news.changes.filter(({ field }) => STATE.has(field));
  const parts = [page, `It depends on bug ${bug.id}: ${bug.summary}`, changesText(who, changes)];
  return composeMail(waiting, { start: "", parts, roles });
}

const STATE: ReadonlySet<string> = new Set(["bug_status", "resolution"]);

type MailParts = { readonly start: string; readonly parts: readonly string[]; readonly roles: readonly string[] };

function composeMail(bug: Bug, { start, parts, roles }: MailParts): BugMail {
  return {
    subject: `[Bug ${bug.id}] ${start}${bug.summary}`,
    body: `${parts.filter((part) => part !== "").join("\n\n")}\n\n-- \nYou get this mail as: ${roles.join(", ")}\n`,
  };
}

function mayKnow(field: string, { isInsider, isTimeTracker }: MailReader): boolean {
  return (isTimeTracker || !TIME_TRACKING_FIELDS.has(field)) && (isInsider || field !== "longdescs.isprivate");
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

function changesText({ login }: Person, changes: readonly FieldChange[]): string {
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

function table(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(width + 2)}${value}`).join("\n");
}

/** Somebody whom a change concerns, and as what: "assignee", "cc". */
export type Recipient = { readonly person: Person; readonly roles: readonly string[] };

/** Everybody whom a change concerns: who has a part in the bug now or had one before, who is or was asked about it, and others. */
export function recipientsOf(before: Bug, after: Bug, others: readonly RecipientRole[] = []): readonly Recipient[] {
  const roles = new Map<number, { readonly person: Person; readonly roles: Set<string> }>();
  for (const { person, role } of [...recipientRoles(after), ...recipientRoles(before), ...others]) {
    const known = roles.get(person.id) ?? { person, roles: new Set() };
    known.roles.add(role);
    roles.set(person.id, known);
  }
  return [...roles.values()].map((known) => ({ person: known.person, roles: [...known.roles] }));
}

/** A part that somebody has in a bug, or in a change of it. */
export type RecipientRole = { readonly role: string; readonly person: Person };

function recipientRoles({ assigned_to, creator, qa_contact, cc, flags }: Bug): readonly RecipientRole[] {
  return [
    { role: "assignee", person: assigned_to },
    { role: "reporter", person: creator },
    ...(qa_contact ? [{ role: "QA contact", person: qa_contact }] : []),
    ...cc.map((person) => ({ role: "cc", person })),
    ...flags.flatMap(({ requestee, name }) => (requestee ? [{ role: `asked for ${name}`, person: requestee }] : [])),
  ];
}
