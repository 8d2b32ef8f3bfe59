import type { MirrorLimit } from "../../wire/mirror-limits.ts";
import { FIELDS } from "../fields.ts";
import { type ChangeOperator, type Criterion, findOperator } from "../search/condition.ts";
import { isPortablePattern } from "./pattern.ts";

/** Gaps of a mirror that searches depend on. */
export type MirrorGaps = {
  readonly hasContents: boolean; // of attachments
  readonly hasHours: () => boolean; // the login sees hours
  readonly hasPrivate: () => boolean; // the login sees private comments and attachments
  readonly hasLogins: () => boolean; // none was shortened by the tracker
  readonly hasGroups: () => boolean; // the login may list groups
};

/** The limit that keeps a mirror from deciding a criterion; undefined if it decides it. */
export function limitOf(criterion: Criterion, gaps: MirrorGaps): MirrorLimit | undefined {
  const { field, text } = criterion;
  if (/^%group\.[^%]+%$/.test(text)) return "members";
  return UNKNOWN[field] ?? gapOf(field, gaps) ?? patternLimit(criterion) ?? loginLimit(criterion, gaps);
}

/** The limit for a field whose values the mirror may lack. */
function gapOf(field: string, gaps: MirrorGaps): MirrorLimit | undefined {
  if (field === "attach_data.thedata") return gaps.hasContents ? undefined : "content";
  if (HOURS.has(field)) return gaps.hasHours() ? undefined : "hours";
  return field.endsWith(".isprivate") && !gaps.hasPrivate() ? "privacy" : undefined;
}

const UNKNOWN: Readonly<Record<string, MirrorLimit>> = { last_visit_ts: "visits", owner_idle_time: "idle" };

/** Fields for the members of the group of time tracking. */
const HOURS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ chart, readers }) => (readers === "time trackers" ? [chart] : [])),
);

function patternLimit({ field, operator, text }: Criterion): MirrorLimit | undefined {
  const found = findOperator(operator);
  if (found.about !== "value" || found.positive !== "regexp") return undefined;
  if (isPortablePattern(text, { isOneLine: field !== "longdesc" })) return undefined;
  return isPortablePattern(text, { isOneLine: true }) ? "lines" : "pattern";
}

function loginLimit(criterion: Criterion, { hasLogins }: MirrorGaps): MirrorLimit | undefined {
  return comparesLogins(criterion) && !hasLogins() ? "logins" : undefined;
}

function comparesLogins({ field, operator }: Criterion): boolean {
  const found = findOperator(operator);
  if (found.about === "change") return COMPARES_LOGINS[found.change] ?? PEOPLE.has(field);
  return found.about === "value" && PEOPLE.has(field);
}

/** Operators on changes that compare logins whatever the field is, or never; the others do in fields of users. */
const COMPARES_LOGINS: Readonly<Partial<Record<ChangeOperator, boolean>>> = {
  changedby: true,
  changedbefore: false,
  changedafter: false,
};

/** Fields whose values are users, or their names. */
const PEOPLE: ReadonlySet<string> = new Set(
  FIELDS.filter(({ family, nameOf }) => family === "person" || family === "people" || nameOf).map(({ chart }) => chart),
);
