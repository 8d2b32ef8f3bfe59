import type { Bug, Person } from "./bug.ts";
import type { Change } from "./change.ts";
import { labelOf } from "./labels.ts";
import { TIME_FIELDS } from "./time-fields.ts";

/** What happened to a bug, as far as a mail tells of it. */
export type News = {
  readonly bug: Bug; // as it is now
  readonly who: Person;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
  readonly comment: { readonly text: string; readonly isPrivate: boolean } | undefined;
  readonly page: string; // where the bug can be seen; empty where there is no such place
};

/** What a reader may know beside what everybody may. */
export type Reader = {
  readonly isInsider: boolean;
  readonly isTimeTracker: boolean;
  readonly roles: readonly string[];
};

/** A mail's content. */
export type Letter = { readonly subject: string; readonly body: string };

/** What to write to a reader; nothing when there is nothing that he may know. */
export function letter(news: News, reader: Reader): Letter | undefined {
  const { bug, isNew } = news;
  const changes = news.changes.filter(({ field }) => mayKnow(field, reader));
  const comment = news.comment?.isPrivate && !reader.isInsider ? undefined : news.comment;
  if (!isNew && changes.length === 0 && !comment?.text) return undefined;
  const parts = [news.page, isNew ? facts(bug) : told(news.who, changes), said(news.who, comment)];
  return letterOf(bug, { start: isNew ? "New: " : "", parts, roles: reader.roles });
}

/** What to write to those whom a bug concerns that waits for another one, when that one was closed or opened again. */
export function letterOnDependency(waiting: Bug, news: Omit<News, "comment" | "isNew">, { roles }: Reader): Letter {
  const { bug, who, page } = news;
  const changes = news.changes.filter(({ field }) => STATE.has(field));
  const parts = [page, `It depends on bug ${bug.id}: ${bug.summary}`, told(who, changes)];
  return letterOf(waiting, { start: "", parts, roles });
}

const STATE: ReadonlySet<string> = new Set(["bug_status", "resolution"]);

type Draft = { readonly start: string; readonly parts: readonly string[]; readonly roles: readonly string[] };

function letterOf(bug: Bug, { start, parts, roles }: Draft): Letter {
  return {
    subject: `[Bug ${bug.id}] ${start}${bug.summary}`,
    body: `${parts.filter((part) => part !== "").join("\n\n")}\n\n-- \nYou get this mail as: ${roles.join(", ")}\n`,
  };
}

function mayKnow(field: string, { isInsider, isTimeTracker }: Reader): boolean {
  return (isTimeTracker || !TIME_FIELDS.has(field)) && (isInsider || field !== "longdescs.isprivate");
}

function facts(bug: Bug): string {
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

function told({ login }: Person, changes: readonly Change[]): string {
  return changes.length === 0
    ? ""
    : `${login} changed:\n\n${table(changes.map(({ field, removed, added }) => [labelOf(field), `${shown(removed)} -> ${shown(added)}`]))}`;
}

function shown(value: string): string {
  return value === "" ? "(empty)" : value.replace(/\s+/g, " ");
}

function said({ login }: Person, comment: News["comment"]): string {
  return comment?.text ? `${login} wrote${comment.isPrivate ? " (private)" : ""}:\n\n${comment.text}` : "";
}

function table(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${`${name}:`.padEnd(width + 2)}${value}`).join("\n");
}
