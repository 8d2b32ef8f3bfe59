import { type Bug, COPIED_FIELDS, type Flag, ROLE_NAMES } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { Comment } from "../../wire/resources.ts";
import { wallClockIn } from "../time-zone.ts";
import type { AvailableFlagType } from "../write/flags.ts";
import { isUnset } from "./census.ts";
import { mappedName, type NameMap } from "./name-map.ts";
import { statusPath } from "./status-path.ts";
import { hasPerson, type Target } from "./target.ts";
import type { NamedOnly } from "./texts.ts";

/**
 * Body of the request that creates a bug, already mapped to the target's names, with all its groups. People who may see
 * a restricted bug only by a setting that cannot be given here are added later.
 */
export function movedBugBody(
  bug: Bug,
  description: { text: string; comment: Comment | undefined },
  target: Target,
): JsonObject {
  const path = statusPath(bug.status ?? "", target.catalog);
  const isClosedAtStart = path?.start === bug.status && Boolean(bug.resolution);
  const people = peopleThere(bug, target);
  return compact({
    ...Object.fromEntries(COPIED_FIELDS.map((name) => [name, bug[name] ?? null])),
    ...customValues(bug, target),
    alias: freeAliases(bug, target),
    description: description.text,
    comment_is_private: description.comment?.is_private === true ? true : null,
    ...people,
    cc: hidesFromPeople(bug) ? null : people.cc,
    groups: bug.groups ?? [],
    status: path?.start ?? null,
    resolution: isClosedAtStart ? (bug.resolution ?? null) : null,
  });
}

/** True for a restricted bug that its CC users, or its reporter, cannot see by that role alone. */
export function hidesFromPeople({ groups, is_cc_accessible, is_creator_accessible }: Bug): boolean {
  return (groups ?? []).length > 0 && (is_cc_accessible === false || is_creator_accessible === false);
}

/** The users of a bug that have an account in the target, in the fields that the target uses. */
export function peopleThere(bug: Bug, target: Target) {
  const { users } = target;
  const there = (login: string | null | undefined) => (login && users.has(login.toLowerCase()) ? login : null);
  const fields = DEFAULT_PEOPLE.filter((person) => hasPerson(target, person)).map(({ field }) => field);
  return {
    ...Object.fromEntries(fields.map((field) => [field, there(bug[field])])),
    cc: (bug.cc ?? []).filter((login) => there(login) !== null),
  };
}

/** Body without null, empty texts, 0 and empty lists; `groups` stays, since an empty list is none of the defaults. */
function compact(body: JsonObject): JsonObject {
  const isGiven = ([name, value]: readonly [string, Json]) =>
    name === "groups" ||
    !(value === null || value === "" || value === 0 || (Array.isArray(value) && value.length === 0));
  return Object.fromEntries(Object.entries(body).filter(isGiven));
}

/** Aliases that no other bug of the target has. */
export function freeAliases({ alias }: Bug, { aliases }: Target): readonly string[] {
  return (alias ?? []).filter((one) => !aliases.has(one.toLowerCase()));
}

function customValues(bug: Bug, { catalog, zones }: Target): JsonObject {
  const fields = new Map(catalog.fields.filter(({ isCustom }) => isCustom).map((field) => [field.api, field.type]));
  return Object.fromEntries(
    Object.entries(bug).flatMap(([name, value]) => {
      const type = fields.get(name);
      if (type === undefined || OF_BUGS.has(type) || isUnset(value) || value === undefined) return [];
      const sent =
        type === FIELD_TYPE.date || type === FIELD_TYPE.dateTime ? timeValue(String(value), type, zones) : value;
      return sent === undefined ? [] : [[name, sent] as const];
    }),
  );
}

/** Types of fields that name bugs. */
const OF_BUGS: ReadonlySet<number> = new Set([FIELD_TYPE.bugId, FIELD_TYPE.seeAlso]);

/** A time as trackers read it, on their own clock; undefined if that is not certain. */
function timeValue(time: string, type: number, zones: readonly string[]): string | undefined {
  if (type === FIELD_TYPE.date) return time.slice(0, "2026-01-02".length);
  const moment = Date.parse(time);
  const [local, ...others] = new Set(zones.map((zone) => wallClockIn(zone, moment)));
  return others.length > 0 ? undefined : local;
}

/** Flags of a mapped bug that the target accepts, and those that it does not. */
export function movableFlags(
  bug: Bug,
  target: Target,
  kind: "flag" | "attachment flag" = "flag",
): { readonly set: readonly JsonObject[]; readonly lost: readonly Flag[] } {
  const types = target.flagTypes.get(`${kind} ${bug.product}/${bug.component}`);
  const set: JsonObject[] = [];
  const lost: Flag[] = [];
  for (const flag of bug.flags ?? []) {
    const { requestee, status } = flag;
    const type = types?.find(({ name }) => name.toLowerCase() === flag.name.toLowerCase());
    const isFree = type?.isMultiplicable || !set.some(({ name }) => name === type?.name);
    if (!type?.values.includes(status) || !isFree || !takesRequest(type, requestee, target)) lost.push(flag);
    else set.push({ name: type.name, status, ...(requestee ? { requestee } : {}), new: true });
  }
  return { set, lost };
}

/** True if a flag may be requested from a user; true without one. */
function takesRequest(type: AvailableFlagType, requestee: string | undefined, { users }: Target): boolean {
  return requestee === undefined || (type.isRequesteeble && users.has(requestee.toLowerCase()));
}

/** Users and flags of a source bug that the target lacks, by their names in the source. */
export function namedOnly(source: Bug, mapped: Bug, { target, map }: { target: Target; map: NameMap }): NamedOnly {
  const isLost = (login: string) => {
    const now = mappedName(map, "users", { name: login });
    return now === undefined || !target.users.has(now.toLowerCase());
  };
  const roles = [
    ...DEFAULT_PEOPLE.map((person) => {
      const isNamed = (login: string) => !hasPerson(target, person) || isLost(login);
      return [ROLE_NAMES[person.field], [source[person.field]], isNamed] as const;
    }),
    ["CC", source.cc ?? [], isLost] as const,
  ];
  const people = roles.flatMap(([role, logins, isNamed]) => {
    const lost = logins.flatMap((login) => (login && isNamed(login) ? [login] : []));
    return lost.length === 0 ? [] : [[role, lost] as const];
  });
  return { people, flags: movableFlags(mapped, target).lost };
}
