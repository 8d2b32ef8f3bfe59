import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { requireField } from "../catalog.ts";
import type { Census, Need, NeedKind } from "./census.ts";
import { CREATED_NOTES } from "./exact-flags.ts";
import { mailEstimate } from "./mails.ts";
import { type NameMap, UNMOVED_DUPLICATE, unmovedResolution } from "./name-map.ts";
import { createdGroupRows, groupRows } from "./plan-groups.ts";
import { mayCreate, type PlanRow, rowIn } from "./plan-row.ts";
import { statusPath } from "./status-path.ts";
import { type Target, valueState } from "./target.ts";

/**
 * Method of writing bugs: by requests to a tracker, or exactly into its data; with the map of names, and the members of
 * new groups.
 */
export type MoveKind = {
  readonly isExact: boolean;
  readonly sendsMail: boolean;
  readonly map: NameMap;
  readonly members: GroupMembers;
};

/** Logins of the members of groups, by the names of the groups in the target. */
export type GroupMembers = ReadonlyMap<string, readonly string[]>;

/** The plan for the bugs of a census that were not moved before. */
export function planRows(census: Census, target: Target, kind: MoveKind): readonly PlanRow[] {
  const needs = [...census.needs.values()].sort(byKind);
  return [
    ...movedRows(census, kind),
    ...needs.flatMap((need) => (kind.isExact ? exactRow(need, target, kind.members) : rowOf(need, needs, target))),
    ...(kind.isExact ? [] : [...unreachable(needs, target), ...unmovedOriginals(census, kind.map)]),
    ...lostRows(census, kind),
    ...(kind.sendsMail ? mailRows(census, target) : []),
  ];
}

const KINDS: readonly NeedKind[] = [
  ...(["product", ...PER_PRODUCT_FIELDS, "value", "keyword", "group"] as const),
  ...(["field", "custom value", "user", "flag", "attachment flag", "alias", "parameter", "permission"] as const),
];

function byKind(one: Need, other: Need): number {
  const order = KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
  return order || one.of.localeCompare(other.of, "en") || one.name.localeCompare(other.name, "en");
}

function movedRows({ counts }: Census, { isExact }: MoveKind): readonly PlanRow[] {
  const row = (what: string, count: number, note = "") =>
    count > 0 ? [{ action: "move" as const, what, name: "", count, note }] : [];
  return [
    ...row("bugs", counts.bugs, counts.restricted > 0 ? `${counts.restricted} restricted` : ""),
    ...row("comments", counts.comments, counts.privateComments > 0 ? `${counts.privateComments} private` : ""),
    ...row("attachments", counts.attachments - (isExact ? 0 : counts.deleted)),
  ];
}

/** Kinds of names that are created in the data of a tracker as they are needed. */
function exactRow(need: Need, target: Target, members: GroupMembers): readonly PlanRow[] {
  if (need.kind === "permission" || isThere(need, target)) return [];
  if (need.kind === "group") return createdGroupRows(need, members.get(need.name)?.length ?? 0);
  if (need.kind === "alias") return [rowIn(need, "lose", LOST.alias?.[1] ?? "")];
  return [rowIn(need, "create", CREATED_NOTES[need.kind] ?? "")];
}

/** Groups of a census that the target lacks. */
export function missingGroups({ needs }: Census, target: Target): readonly string[] {
  const missing = [...needs.values()].filter((need) => need.kind === "group" && !isThere(need, target));
  return [...new Set(missing.map(({ name }) => name))];
}

/** The field that lists the names of a kind. */
const FIELD_OF: Readonly<Partial<Record<NeedKind, string>>> = {
  product: "product",
  component: "component",
  version: "version",
  target_milestone: "target_milestone",
  keyword: "keywords",
};

/** Kinds of names that are there or not. */
const HAS: Readonly<Partial<Record<NeedKind, (need: Need, target: Target) => boolean>>> = {
  parameter: ({ name }, { off }) => !off.has(name),
  permission: (_, { isInsider }) => isInsider,
  alias: ({ name }, { aliases }) => !aliases.has(name.toLowerCase()),
  user: ({ name }, { users }) => users.has(name.toLowerCase()),
  group: ({ name }, { groups }) => groups.has(name.toLowerCase()),
  field: ({ name }, { catalog }) => catalog.fields.some(({ api }) => api === name),
  flag: hasFlagType,
  "attachment flag": hasFlagType,
};

function hasFlagType({ kind, of, name }: Need, { flagTypes }: Target): boolean {
  const types = flagTypes.get(`${kind} ${of}`);
  return types === undefined || types.some((type) => type.name.toLowerCase() === name.toLowerCase());
}

function stateOf(need: Need, target: Target): ReturnType<typeof valueState> {
  const { kind, of } = need;
  const has = HAS[kind];
  if (has) return has(need, target) ? "there" : "missing";
  if (kind === "custom value") return customState(need, target);
  return valueState(target.catalog, kind === "value" ? of : (FIELD_OF[kind] ?? kind), need);
}

/** State of a value of a custom field; one of a field that the target lacks is not needed either. */
function customState(need: Need, { catalog }: Target): ReturnType<typeof valueState> {
  const field = catalog.fields.find(({ api }) => api === need.of);
  return field && CHOSEN.has(field.type) ? valueState(catalog, need.of, need) : "there";
}

/** Types of fields whose values are chosen from a list. */
export const CHOSEN: ReadonlySet<number> = new Set([FIELD_TYPE.select, FIELD_TYPE.multiSelect]);

/** True if the target has a name, even an inactive one. */
export function isThere(need: Need, target: Target): boolean {
  return stateOf(need, target) !== "missing";
}

function rowOf(need: Need, needs: readonly Need[], target: Target): readonly PlanRow[] {
  const state = stateOf(need, target);
  const { kind } = need;
  if (kind === "group") return groupRows(need, target);
  if (state === "there" || (state === "inactive" && kind === "target_milestone")) return [];
  if (state === "inactive") return [rowIn(need, "missing", "inactive")];
  const lost = LOST[kind];
  if (lost) return [rowIn(need, ...lost)];
  if (kind === "permission") return [rowIn(need, "missing", INSIDER_NOTE)];
  return [rowIn(need, isCreated(need, needs, target) ? mayCreate(target, "editcomponents") : "missing", "")];
}

/** Names without which a bug moves. */
const LOST: Readonly<Partial<Record<NeedKind, readonly [PlanRow["action"], string]>>> = {
  alias: ["lose", "already used by another bug"],
  parameter: ["text", "QA contacts are disabled; kept as text"],
  user: ["text", "no such user; kept as text (an assignee is replaced by the default of the component)"],
  flag: ["text", "no such flag type; kept as text"],
  "attachment flag": ["lose", "no such flag type"],
  field: ["lose", "no such field"],
};

const INSIDER_NOTE = "your login is not in the insider group of the target";

/** Products are created with one version and one milestone, and components in them; trackers have no way for others. */
function isCreated({ kind, of, name }: Need, needs: readonly Need[], target: Target): boolean {
  if (kind === "product" || kind === "component") return true;
  if (kind !== "version" && kind !== "target_milestone") return false;
  return !hasProduct(of, target) && mainValue(kind, of, needs) === name;
}

/** The version or milestone that a new product is created with: the one of most bugs. */
export function mainValue(
  kind: "version" | "target_milestone",
  product: string,
  needs: readonly Need[],
): string | undefined {
  const own = needs.filter((need) => need.kind === kind && need.of === product);
  return own.toSorted((one, other) => other.bugs - one.bugs)[0]?.name;
}

function hasProduct(name: string, { catalog }: Target): boolean {
  return requireField(catalog, "product").values.some((one) => one.name.toLowerCase() === name.toLowerCase());
}

function unreachable(needs: readonly Need[], { catalog }: Target): readonly PlanRow[] {
  return needs
    .filter(
      ({ kind, of, name }) => kind === "value" && of === "status" && valueState(catalog, of, { of, name }) === "there",
    )
    .filter(({ name }) => statusPath(name, catalog) === undefined)
    .map((need) => rowIn(need, "missing", "the workflow has no path to it from a new bug"));
}

function unmovedOriginals({ originals, ids, known }: Census, map: NameMap): readonly PlanRow[] {
  if (unmovedResolution(map) !== undefined) return [];
  const count = [...originals.values()].filter((original) => !ids.has(original) && !known.has(original)).length;
  const note = "their originals are not moved; use --map to set another resolution";
  return count === 0 ? [] : [{ action: "missing", what: "resolution", name: UNMOVED_DUPLICATE, count, note }];
}

function lostRows(census: Census, { isExact }: MoveKind): readonly PlanRow[] {
  const { counts, ids, known } = census;
  const row = (action: "text" | "lose", what: string, { count, note = "" }: { count: number; note?: string }) =>
    count > 0 ? [{ action, what, name: "", count, note }] : [];
  const outside = census.dependencies.filter(([, other]) => !ids.has(other) && !known.has(other)).length;
  const lost = row("lose", "dependencies", { count: outside, note: "on bugs that are not moved" });
  const what = isExact ? "contents of attachments" : "attachments";
  const empty = row("lose", what, { count: counts.deleted, note: "the source does not have their contents" });
  if (isExact) return [...empty, ...lost];
  return [
    ...row("text", "authors and times", { count: counts.comments, note: "in the first line of each comment" }),
    ...row("lose", "changes", { count: counts.changes, note: "the history of the bugs" }),
    ...row("lose", "confirmation", {
      count: counts.unconfirmed,
      note: "closed bugs that were never confirmed become confirmed",
    }),
    ...empty,
    ...lost,
  ];
}

function mailRows(census: Census, target: Target): readonly PlanRow[] {
  const { others, own } = mailEstimate(census, target);
  if (own === 0) return [];
  const note = `estimated maximum, without watchers; ${own} more to you if you get mail about your own changes. An administrator can disable mail during the move`;
  return [{ action: "mail", what: "mails", name: "", count: others, note }];
}
