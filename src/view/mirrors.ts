import { waitText } from "../wire/exchange.ts";
import type { MirrorCounts, MirrorFacts, MirrorProgress } from "../wire/mirror.ts";
import type { Column } from "./column.ts";
import { countText, sizeText } from "./text.ts";
import { shortRelativeTime } from "./times.ts";

/** A mirror in a list; `problem` if its file cannot be read. `size` in bytes. */
export type MirrorRow = {
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly facts?: MirrorFacts;
  readonly counts?: MirrorCounts;
  readonly failed?: readonly { readonly id: number; readonly reason: string }[];
  readonly oldest_read?: string | null;
  readonly problem?: string;
};

/** All columns of a list of mirrors. */
export const MIRROR_COLUMNS: readonly Column<MirrorRow>[] = [
  { name: "name", heading: "Name", value: ({ name }) => name, gives: "never" },
  { name: "tracker", heading: "Tracker", value: ({ facts }) => facts?.tracker, gives: "first" },
  { name: "login", heading: "Login", value: ({ facts }) => facts?.login, gives: "first", leaves: 3 },
  {
    name: "products",
    heading: "Products",
    value: ({ facts }) => facts?.products,
    text: ({ facts }) => facts?.products.join(", ") ?? "",
    gives: "first",
    leaves: 4,
  },
  { name: "bugs", heading: "Bugs", value: ({ counts }) => counts?.held, align: "right" },
  {
    name: "synced",
    heading: "Synced",
    value: ({ facts }) => facts?.lastSync,
    cell: ({ facts }, view) => (facts?.lastSync ? shortRelativeTime(facts.lastSync, view) : ""),
  },
  {
    name: "oldest_read",
    heading: "Oldest reading",
    value: ({ oldest_read }) => oldest_read,
    cell: ({ oldest_read }, view) => (oldest_read ? shortRelativeTime(oldest_read, view) : ""),
  },
  {
    name: "state",
    heading: "State",
    value: mirrorState,
    paint: (row) => (mirrorState(row) === "complete" ? undefined : "warn"),
  },
  {
    name: "failed",
    heading: "Failed bugs",
    value: ({ failed }) => failed,
    text: ({ failed = [] }) => failed.map(({ id }) => id).join(","),
    leaves: 1,
  },
  {
    name: "cannot_know",
    heading: "Cannot know",
    value: ({ facts }) => facts && unseenChanges(facts),
    text: ({ facts }) => (facts ? unseenChanges(facts).join(", ") : ""),
    leaves: 2,
  },
  {
    name: "restricted_bugs",
    heading: "Restricted",
    value: ({ counts }) => counts?.restrictedBugs,
    align: "right",
    leaves: 6,
  },
  {
    name: "private_comments",
    heading: "Private comments",
    value: ({ counts }) => counts?.privateComments,
    align: "right",
    leaves: 5,
  },
  {
    name: "size",
    heading: "Size",
    value: ({ size }) => size,
    cell: ({ size }) => sizeText(size),
    align: "right",
    leaves: 7,
  },
  { name: "file", heading: "File", value: ({ file }) => file, gives: "never" },
];

/** The changes since the oldest reading that no sync notices, and the parts of the tracker that it cannot see. */
function unseenChanges({ login, publicOnly, audit, groups }: MirrorFacts): string[] {
  return [
    publicOnly ? "restricted bugs and private comments" : `what is hidden from ${login ?? "anonymous users"}`,
    "changed comment tags",
    login === null ? "" : "changed personal tags",
    "changed votes",
    "flags changed by their type's settings",
    "groups changed by a product's settings",
    "custom fields that were added or became obsolete",
    audit === null ? "renamed values and users" : "",
    login !== null && groups === null ? "changes of your groups" : "",
  ].filter(Boolean);
}

function mirrorState({ facts, problem }: MirrorRow): string {
  if (problem !== undefined || !facts) return problem ?? "unreadable";
  const incomplete = incompleteText(facts.progress, facts.lastSync);
  const { progress } = facts;
  if (incomplete !== "" || !progress) return incomplete || "complete";
  return `incomplete: ${phaseText(progress)}`;
}

/** Progress of a sync before whose end a mirror lacks bugs: "incomplete: open bugs, 61 %"; "" for one that has them. */
export function incompleteText(progress: MirrorProgress | null, lastSync: string | null): string {
  if (lastSync !== null && (progress === null || progress.phase === "check")) return "";
  return progress === null ? "incomplete" : `incomplete: ${phaseText(progress)}`;
}

const PHASES = { open: "open bugs", closed: "closed bugs", check: "comparing numbers" } as const;

/** The phase of a sync, and the share of it that is done: "open bugs, 61 %". */
function phaseText({ phase, share }: MirrorProgress): string {
  return `${PHASES[phase]}, ${Math.min(99, Math.floor(share * 100))} %`;
}

/**
 * Work of a sync so far: its time, the bugs read, and the time and share of the phase. Times in seconds, without what
 * was done before.
 */
export type SyncWork = {
  readonly seconds: number;
  readonly done: number;
  readonly ofPhase: { readonly seconds: number; readonly share: number };
};

/** Progress of a sync on one line, with the rate and the time left of the phase, by what was read so far. */
export function mirrorProgressText(progress: MirrorProgress, { seconds, done, ofPhase }: SyncWork): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const { share } = ofPhase;
  const left = share > 0.02 ? (ofPhase.seconds / share) * (1 - progress.share) * 1000 : undefined;
  const parts = [phaseText(progress), `${countText(progress.done, "bug")} read`];
  if (rate > 0) parts.push(`${rate.toFixed(rate < 10 ? 1 : 0)}/s`);
  if (left !== undefined) parts.push(`${waitText(left)} left`);
  return parts.join(", ");
}

/** Numbers of restricted bugs, and of bugs with private comments, that a new mirror will have. */
export type PrivateBugs = { readonly restricted: number; readonly withPrivateComments: number };

/** Announcement of the restricted bugs and private comments of a new mirror, on one line; undefined without any. */
export function privateBugsText(name: string, { restricted, withPrivateComments }: PrivateBugs): string | undefined {
  const parts: string[] = [];
  if (restricted > 0) parts.push(countText(restricted, "restricted bug"));
  if (withPrivateComments > 0) parts.push(`private comments of ${countText(withPrivateComments, "bug")}`);
  if (parts.length === 0) return undefined;
  return `${name}: this mirror will keep ${parts.join(" and ")} (--public-only leaves them out)`;
}

/** Result of a sync, and the numbers of a new mirror. */
export type SyncSummary = {
  name: string;
  changed: number;
  added: number;
  removed: number;
  isFirst: boolean;
  counts: MirrorCounts;
};

/** Summary of a sync on one line; for a first one with restricted bugs and private comments. */
export function mirrorSummary({ name, changed, added, removed, isFirst, counts }: SyncSummary): string {
  const parts = [isFirst ? countText(counts.held, "bug") : `${countText(changed, "bug")} changed`];
  if (!isFirst && added > 0) parts.push(`${added} new`);
  if (isFirst && counts.restrictedBugs > 0) parts.push(`${counts.restrictedBugs} restricted`);
  if (isFirst && counts.privateComments > 0) parts.push(countText(counts.privateComments, "private comment"));
  if (removed > 0) parts.push(`${removed} removed`);
  if (counts.failed > 0) parts.push(`${counts.failed} could not be read`);
  return `${name}: ${parts.join(", ")}`;
}
