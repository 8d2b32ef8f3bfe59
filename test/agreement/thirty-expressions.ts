import type { KnownBug as Known } from "./open-world.ts";
import { ME, NOW } from "./thirty-world.ts";

const BOB = "bob@example.org";
const DAVE = "dave@example.org";

function isOpen({ bug }: Known) {
  return ["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"].includes(bug.status ?? "");
}

function within(from: string, to: string, time: string | null | undefined) {
  return `${time}` >= from && `${time}` < to;
}

function ago(days: number) {
  return `${new Date(NOW.getTime() - days * 86_400_000).toISOString().slice(0, 19)}Z`;
}

function words(text: string | null | undefined) {
  return `${text}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

function isOneOf(value: string | null | undefined, ...list: readonly string[]) {
  return list.includes(value ?? "");
}

/** True if one and the same change of a field passes a test. */
function changed({ history }: Known, field: string, meets: (change: OneChange) => boolean) {
  return history.some(({ who, when, changes }) =>
    changes.some(({ field_name, removed, added }) => field_name === field && meets({ who, when, removed, added })),
  );
}

type OneChange = { readonly who: string; readonly when: string; readonly removed: string; readonly added: string };

/** Each expression, and what it means said again in the plainest way, without the code that compiles it. */
export const EXPRESSIONS: readonly (readonly [expression: string, means: (known: Known) => boolean])[] = [
  ["is:open assignee:@me", (one) => isOpen(one) && one.bug.assigned_to === ME],
  ["is:open priority>=High", (one) => isOpen(one) && isOneOf(one.bug.priority, "Highest", "High")],
  [
    "is:open and (priority = Highest or severity in (blocker, critical))",
    (one) => isOpen(one) && (one.bug.priority === "Highest" || isOneOf(one.bug.severity, "blocker", "critical")),
  ],
  [
    "component in (Bookmarks, Places) and created >= -2w and not is:closed",
    (one) => isOneOf(one.bug.component, "Bookmarks", "Places") && `${one.bug.creation_time}` >= ago(14) && isOpen(one),
  ],
  ["created = 2026-10-03", ({ bug }) => `${bug.creation_time}`.startsWith("2026-10-03")],
  ["created:2026-10..2026-11-05", ({ bug }) => within("2026-10-01", "2026-11-06", bug.creation_time)],
  ["updated < -8w is:open", (one) => `${one.bug.last_change_time}` < ago(56) && isOpen(one)],
  [
    'summary ~ crash and summary !~ "toolbar"',
    ({ bug }) => /crash/i.test(bug.summary ?? "") && !/toolbar/i.test(bug.summary ?? ""),
  ],
  ["summary =~ /^Browser (hang|leak) problem/", ({ bug }) => /^browser (hang|leak) problem/i.test(bug.summary ?? "")],
  [
    'summary ^= "Browser font" or summary $= "#42"',
    ({ bug }) => /^browser font/i.test(bug.summary ?? "") || /#42$/.test(bug.summary ?? ""),
  ],
  [
    "not (product = Firefox and resolution in (INVALID, WONTFIX)) is:closed",
    (one) => !(one.bug.product === "Firefox" && isOneOf(one.bug.resolution, "INVALID", "WONTFIX")) && !isOpen(one),
  ],
  [
    "resolution is not empty -assignee:alice@example.org",
    ({ bug }) => bug.resolution !== "" && bug.assigned_to !== "alice@example.org",
  ],
  [
    "is:self-assigned severity<normal",
    ({ bug }) => bug.assigned_to === bug.creator && isOneOf(bug.severity, "minor", "trivial", "enhancement"),
  ],
  [
    "reporter in (bob@example.org, dave@example.org) and assignee = @me and component:Theme,Startup",
    ({ bug }) =>
      isOneOf(bug.creator, BOB, DAVE) && bug.assigned_to === ME && isOneOf(bug.component, "Theme", "Startup"),
  ],
  [
    "priority changed to High by bob@example.org since 2026-11-10",
    (one) =>
      changed(one, "priority", ({ who, when, added }) => added === "High" && who === BOB && when >= "2026-11-10"),
  ],
  [
    "status changed from UNCONFIRMED to CONFIRMED before 2026-09-01",
    (one) =>
      changed(
        one,
        "status",
        ({ when, removed, added }) => removed === "UNCONFIRMED" && added === "CONFIRMED" && when < "2026-09-01",
      ),
  ],
  [
    "status changed by @me and not priority changed by @me and id < 500",
    (one) =>
      changed(one, "status", ({ who }) => who === ME) &&
      !changed(one, "priority", ({ who }) => who === ME) &&
      one.bug.id < 500,
  ],
  ["id in (10, 11, 12) or id:400..405", ({ bug }) => [10, 11, 12].includes(bug.id) || (bug.id >= 400 && bug.id <= 405)],
  ["comments >= 3 and id<100", ({ bug, comments }) => comments.length >= 3 && bug.id < 100],
  [
    "commenter = @me and not commenter = bob@example.org and id <= 60",
    ({ bug, comments }) =>
      comments.some(({ creator }) => creator === ME) &&
      !comments.some(({ creator }) => creator === BOB) &&
      bug.id <= 60,
  ],
  [
    'comment ~ "Patch is up" and id<50',
    ({ bug, comments }) => comments.some(({ text }) => /patch is up/i.test(text)) && bug.id < 50,
  ],
  [
    'fulltext ~ "bookmark" and id < 300',
    ({ bug, comments }) =>
      [bug.summary, ...comments.map(({ text }) => text)].some((text) => words(text).includes("bookmark")) &&
      bug.id < 300,
  ],
  [
    "no:cc no:keyword no:alias no:flag no:attachment no:comment-tag id<10",
    (one) => !has(one).some(Boolean) && !one.comments.some(({ tags = [] }) => tags.length > 0) && one.bug.id < 10,
  ],
  ["has:alias or has:flag or has:attachment or has:keyword or has:cc", (one) => has(one).some(Boolean)],
  [
    "summary ~ hang summary ~ problem summary !=~ /crash|cookie|3/",
    ({ bug }) =>
      /hang/i.test(bug.summary ?? "") &&
      /problem/i.test(bug.summary ?? "") &&
      !/crash|cookie|3/i.test(bug.summary ?? ""),
  ],
  ["created:>=2026-11-01 created:<2026-11-02", ({ bug }) => within("2026-11-01", "2026-11-02", bug.creation_time)],
  [
    "version:121 os=Linux platform=pc",
    ({ bug }) => bug.version === "121" && bug.op_sys === "Linux" && bug.platform === "PC",
  ],
  [
    "priority!=High and (status=CONFIRMED or (status=RESOLVED and resolution=FIXED)) and not (component=General or component=Alerts)",
    ({ bug }) =>
      bug.priority !== "High" &&
      (bug.status === "CONFIRMED" || (bug.status === "RESOLVED" && bug.resolution === "FIXED")) &&
      !isOneOf(bug.component, "General", "Alerts"),
  ],
  ["assignee = @group.editbugs and id < 20", ({ bug }) => isOneOf(bug.assigned_to, ME, BOB) && bug.id < 20],
];

function has({ bug, attachments }: Known) {
  return [bug.alias, bug.flags, bug.keywords, bug.cc]
    .map((list) => (list ?? []).length > 0)
    .concat(attachments.length > 0);
}
