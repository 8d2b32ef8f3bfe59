import { type Bug, COPIED_FIELDS } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { FieldChange, HistoryEntry, StatusMove } from "../../wire/resources.ts";
import { statusNames } from "../legal-values.ts";
import { DUPLICATE } from "../write/moves.ts";
import { isUnset } from "./census.ts";
import { freeAliases, hidesFromPeople, movableFlags, peopleThere } from "./moved-body.ts";
import { statusChanges } from "./status-path.ts";
import type { Target } from "./target.ts";

/** New numbers of the bugs that a bug names, and the resolution of a duplicate whose original was not moved. */
export type FinishContext = {
  readonly target: Target;
  readonly bug: (old: number) => number | undefined;
  readonly unmovedResolution: string | undefined;
  readonly place: string; // of the bug in the source, for comments that the workflow requires
};

/**
 * Bodies of the updates that make a new bug (`now`) equal to the source: flags, links, people, and the status changes.
 * Empty if nothing is left to do.
 */
export function finishBodies(bug: Bug, now: Bug, context: FinishContext): readonly JsonObject[] {
  const moves = statusBodies(bug, now, context);
  const extras = extraBody(bug, now, context);
  if (Object.keys(extras).length === 0) return moves;
  const last = moves.at(-1);
  return last === undefined ? [extras] : [...moves.slice(0, -1), { ...last, ...extras }];
}

function statusBodies(bug: Bug, now: Bug, context: FinishContext): readonly JsonObject[] {
  const { catalog } = context.target;
  const [from, to] = [now.status ?? "", bug.status ?? ""];
  const closing = closingBody(bug, context);
  const moves = statusChanges(from, to, catalog) ?? [{ name: to, comment_required: false }];
  if (moves.length === 0) return isSame(closing, now) || !bug.resolution ? [] : [closing];
  const closed = statusNames(catalog, "closed");
  const first = closed.includes(from) ? -1 : moves.findIndex(({ name }) => closed.includes(name));
  return moves.map((move, at) => ({ ...moveBody(move, context), ...(at === first ? closing : {}) }));
}

function moveBody({ name, comment_required }: StatusMove, { place }: FinishContext): JsonObject {
  return { status: name, ...(comment_required ? { comment: { body: `[${place}: ${name}]` } } : {}) };
}

/** Resolution of a closed bug, or its original. */
function closingBody(bug: Bug, { bug: find, unmovedResolution }: FinishContext): JsonObject {
  const original = bug.dupe_of ? find(bug.dupe_of) : undefined;
  if (original !== undefined) return { resolution: DUPLICATE, dupe_of: original };
  if (bug.resolution !== DUPLICATE) return { resolution: bug.resolution ?? "" };
  return { resolution: unmovedResolution ?? DUPLICATE };
}

function isSame(closing: JsonObject, now: Bug): boolean {
  return Object.entries(closing).every(([name, value]) => (now as JsonObject)[name] === value);
}

function extraBody(bug: Bug, now: Bug, context: FinishContext): JsonObject {
  const { set } = movableFlags(bug, context.target);
  const flags = set.filter((wish) => !(now.flags ?? []).some((flag) => isFlag(flag as unknown as JsonObject, wish)));
  const hours = (bug.actual_time ?? 0) - (now.actual_time ?? 0);
  return {
    ...(flags.length > 0 ? { flags } : {}),
    ...listBody("depends_on", newOnes(movedNumbers(bug.depends_on, context), now.depends_on)),
    ...listBody("blocks", newOnes(movedNumbers(bug.blocks, context), now.blocks)),
    ...accessBody(bug, now, context.target),
    ...(hours > 0 ? { work_time: hours, comment: { body: `[${context.place}: ${hours} hours worked]` } } : {}),
    ...remainingBody(bug, now),
    ...bugFieldsBody(bug, now, context),
  };
}

function isFlag(flag: JsonObject, wish: JsonObject): boolean {
  return ["name", "status", "requestee"].every((part) => wish[part] === undefined || wish[part] === flag[part]);
}

function newOnes(items: readonly Json[], now: readonly Json[] | null | undefined): readonly Json[] {
  const there = new Set((now ?? []).map((one) => String(one).toLowerCase()));
  return items.filter((one) => !there.has(String(one).toLowerCase()));
}

function listBody(name: string, items: readonly Json[]): JsonObject {
  return items.length === 0 ? {} : { [name]: { add: items } };
}

function movedNumbers(ids: readonly number[] | null | undefined, { bug: find }: FinishContext): readonly number[] {
  return (ids ?? []).flatMap((id) => find(id) ?? []);
}

/** Hours left, which a new bug has as many of as are estimated. */
function remainingBody({ remaining_time }: Bug, now: Bug): JsonObject {
  const isKnown = typeof remaining_time === "number" && typeof now.remaining_time === "number";
  return isKnown && remaining_time !== now.remaining_time ? { remaining_time } : {};
}

/** Custom fields that name a bug. */
function bugFieldsBody(bug: Bug, now: Bug, { target, bug: find }: FinishContext): JsonObject {
  const fields = target.catalog.fields.filter(({ isCustom, type }) => isCustom && type === FIELD_TYPE.bugId);
  return Object.fromEntries(
    fields.flatMap(({ api }) => {
      const id = find(Number((bug as JsonObject)[api] ?? 0));
      return id === undefined || Number((now as JsonObject)[api] ?? 0) === id ? [] : [[api, id] as const];
    }),
  );
}

/** Visibility by role, with the people whom it would have let see the bug. */
function accessBody(bug: Bug, now: Bug, target: Target): JsonObject {
  const names = (["is_cc_accessible", "is_creator_accessible"] as const).filter(
    (name) => bug[name] === false && now[name] === true,
  );
  const cc = hidesFromPeople(bug) ? newOnes(peopleThere(bug, target).cc, now.cc) : [];
  return { ...Object.fromEntries(names.map((name) => [name, false])), ...listBody("cc", cc) };
}

/**
 * Body of the update that removes users whom the target added by default, such as those of the component; empty without
 * any. Users in the history of the bug were added later and are kept.
 */
export function defaultPeopleBody(bug: Bug, now: Bug, { target, history }: AfterCreation): JsonObject {
  const { cc: wantedCc, ...wanted } = peopleThere(bug, target);
  const later = new Set(history.flatMap(({ changes }) => changes.flatMap(laterPeople)));
  const isStray = (field: string, login: string) => !later.has(field) && !later.has(`${field} ${login.toLowerCase()}`);
  const optional = DEFAULT_PEOPLE.flatMap(({ field, isOptional }) => (isOptional ? [field] : []));
  const roles = optional
    .filter((field) => now[field] && !(wanted as JsonObject)[field] && isStray(field, ""))
    .map((field) => [field, ""] as const);
  const cc = newOnes(now.cc ?? [], wantedCc).filter((login) => isStray("cc", String(login)));
  return { ...Object.fromEntries(roles), ...(cc.length > 0 ? { cc: { remove: cc } } : {}) };
}

/** The target, and the history of a bug in it. */
export type AfterCreation = { readonly target: Target; readonly history: readonly HistoryEntry[] };

/** A role that was changed, or the people who were added to a list. */
function laterPeople({ field_name, added }: FieldChange): readonly string[] {
  const logins = (added ?? "").split(/, ?/).filter((login) => login !== "");
  return field_name === "cc" ? logins.map((login) => `cc ${login.toLowerCase()}`) : [field_name];
}

/** See Also URLs that a new bug lacks; trackers refuse URLs of unknown trackers. */
export function missingLinks(bug: Bug, now: Bug): readonly string[] {
  return newOnes(bug.see_also ?? [], now.see_also).map(String);
}

/** Names of the fields that still differ from the source after a move, without those that `finishBodies` would send. */
export function differingFields(bug: Bug, now: Bug, { target }: FinishContext): readonly string[] {
  const people = peopleThere(bug, target);
  const wanted: JsonObject = { ...(bug as JsonObject), ...people, alias: freeAliases(bug, target) };
  const custom = target.catalog.fields.filter(
    ({ isCustom, type, api }) => isCustom && type !== FIELD_TYPE.bugId && !isUnset(wanted[api]),
  );
  const compared = [...COPIED_FIELDS, "groups", "status", "alias", ...Object.keys(people)];
  const names = [...compared, ...custom.map(({ api }) => api)];
  const differing = names.filter((name) => !isMoved(wanted[name], (now as JsonObject)[name]));
  const isMoreRestricted = newOnes(now.groups ?? [], bug.groups).length > 0; // by mandatory groups of the product
  return isMoreRestricted ? [...new Set([...differing, "groups"])] : differing;
}

function isMoved(given: Json | undefined, now: Json | undefined): boolean {
  if (given === undefined || given === null || given === "" || given === 0) return true;
  if (Array.isArray(given)) return newOnes(given, Array.isArray(now) ? now : []).length === 0;
  return normalized(given) === normalized(now ?? "");
}

function normalized(value: Json): string {
  return String(value).trim().toLowerCase();
}
