import {
  type Bug,
  type DefaultedPerson,
  PER_PRODUCT_FIELDS,
  PERSON_FIELDS,
  type PerProductField,
  SHARED_CHOICE_FIELDS,
} from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import { isObject } from "../response/response-objects.ts";
import { bareAttachments, type SourceBug, unequallyPrivate } from "./moved-bug.ts";
import { mappedBug, type NameMap, namesUsed } from "./name-map.ts";

/** A name that bugs need in the target: `of` is its product, for values its field, for flags product and component. */
export type Need = {
  readonly kind: NeedKind;
  readonly of: string;
  readonly name: string;
  readonly bugs: number;
};

/**
 * Kind of a name; a `value` is one of a field that all products share, a `field` a custom one, a `parameter` has to be on,
 * a `permission` is one of the login.
 */
export type NeedKind =
  | "product"
  | PerProductField
  | "value"
  | "keyword"
  | "group"
  | "user"
  | "flag"
  | "attachment flag"
  | "alias"
  | "parameter"
  | "permission"
  | "field"
  | "custom value";

/** Counts of moved objects. */
export type MoveCounts = Record<
  "bugs" | "restricted" | "unconfirmed" | "comments" | "privateComments" | "attachments" | "changes" | "deleted",
  number
>;

/** Users of a bug who get its mail; "" for an empty role, which gets the component's default in a new bug. */
export type MailedPeople = Readonly<Record<DefaultedPerson, string>> & { readonly cc: readonly string[] };

/** People of bugs by a key, with the number of requests that change their bugs. */
type Mailings = Map<string, { readonly people: MailedPeople; readonly requests: number }>;

/** Names that a set of bugs requires in the target, and counts; filled bug by bug. */
export type Census = {
  readonly needs: Map<string, Need>;
  readonly selects: ReadonlySet<string>; // custom fields of the source whose values are chosen
  readonly used: Set<string>; // names of the source that a map may be about
  readonly counts: MoveCounts;
  readonly mailings: Mailings;
  readonly ids: Set<number>;
  readonly known: { readonly has: (id: number) => boolean }; // bugs that were moved before
  readonly attachments: number[]; // ids
  readonly originals: Map<number, number>; // of duplicates
  readonly dependencies: (readonly [bug: number, other: number])[];
  readonly gaps: Map<number, readonly number[]>; // numbers of visible comments, where these are not 0, 1, 2 ...
  readonly long: Set<number>; // bugs with a comment that may become several
};

/** A census of no bugs; `known` are those that were moved before. */
export function emptyCensus(known: Census["known"], selects: Census["selects"]): Census {
  const counts = {
    ...{ bugs: 0, restricted: 0, unconfirmed: 0, comments: 0, privateComments: 0, attachments: 0 },
    ...{ changes: 0, deleted: 0 },
  };
  const mailings: Mailings = new Map();
  const [needs, used, ids, originals, gaps] = [new Map(), new Set<string>(), new Set<number>(), new Map(), new Map()];
  const lists = { dependencies: [], attachments: [], gaps, long: new Set<number>() };
  return { needs, selects, used, counts, mailings, ids, known, originals, ...lists };
}

/**
 * Adds a bug of the source with its moved comments; of a bug that was moved before, only the new comments and
 * attachments.
 */
export function addToCensus(census: Census, source: SourceBug, map: NameMap): void {
  const { bug } = source;
  const flagged = source.attachments.map(({ flags = [] }) => ({ ...bug, flags }));
  for (const name of [bug, ...flagged].flatMap(namesUsed)) census.used.add(name);
  for (const { id } of source.attachments) census.attachments.push(id);
  if (census.known.has(bug.id)) {
    addNeeds(census, privacyNeeds(source));
    countContent(census.counts, source, 0);
    countMailings(census.mailings, mappedBug(source.bug, map), source.comments.length);
    return;
  }
  addNeeds(census, [...needsOf(source, map, census.selects), ...privacyNeeds(source)]);
  census.ids.add(bug.id);
  if (bug.dupe_of) census.originals.set(bug.id, bug.dupe_of);
  for (const other of [...(bug.depends_on ?? []), ...(bug.blocks ?? [])]) census.dependencies.push([bug.id, other]);
  countContent(census.counts, source, 1);
  countMailings(census.mailings, mappedBug(source.bug, map), requestsFor(source));
}

/** Notes the numbers of all comments of a bug, moved before or not, if some are hidden, and whether one is long. */
export function noteNumbers({ gaps, long }: Census, { bug, comments }: SourceBug): void {
  if (comments.some(({ text }) => text.length > LONG_TEXT)) long.add(bug.id);
  const numbers = comments.map(({ count }) => count);
  if (numbers.some((count, at) => count !== at)) gaps.set(bug.id, numbers);
}

/** Length of a text, in characters, that may not fit into one comment with the line of its author. */
const LONG_TEXT = 60_000;

/** Adds the needs of one bug, each once. */
function addNeeds({ needs }: Census, added: readonly Need[]): void {
  const names = new Map(added.map((need) => [keyOf(need), need]));
  for (const [key, need] of names) needs.set(key, { ...need, bugs: (needs.get(key)?.bugs ?? 0) + 1 });
}

/** Name of the permission to write private comments and attachments. */
const PRIVATE_WRITER = "private comments and attachments";

function privacyNeeds({ comments, attachments }: SourceBug): readonly Need[] {
  const hasPrivate = [...comments, ...attachments].some(({ is_private }) => is_private);
  return hasPrivate ? [{ kind: "permission", of: "", name: PRIVATE_WRITER, bugs: 1 }] : [];
}

function countContent(counts: MoveCounts, { bug, comments, attachments, history }: SourceBug, bugs: number): void {
  counts.bugs += bugs;
  counts.restricted += (bug.groups ?? []).length > 0 ? bugs : 0;
  counts.unconfirmed += bug.is_open === false && bug.is_confirmed === false ? bugs : 0;
  counts.comments += comments.length;
  counts.privateComments += comments.filter(({ is_private }) => is_private).length;
  counts.attachments += attachments.length;
  counts.deleted += attachments.filter(({ size }) => size === 0).length;
  counts.changes += history.reduce((sum, { changes }) => sum + changes.length, 0);
}

/**
 * Upper bound of the requests that change a bug: a comment each, the last update of what a new bug cannot have, one that
 * takes off default people, and those of other bugs, which are linked with it or closed.
 */
function requestsFor(source: SourceBug): number {
  const { bug, comments, attachments } = source;
  const [depends, blocks] = [bug.depends_on ?? [], bug.blocks ?? []].map(({ length }) => length);
  const extras = [bug.flags, bug.see_also, bug.groups].some((list) => (list ?? []).length > 0);
  const hours = bug.actual_time || bug.remaining_time !== bug.estimated_time;
  const isUpdated = bug.is_open === false || extras || Boolean(hours);
  const obsolete = attachments.filter(({ is_obsolete }) => is_obsolete);
  const links = 2 * (depends ?? 0) + (blocks ?? 0); // a bug that this one depends on is closed, too
  const isFreed = DEFAULT_PEOPLE.some(({ field, isOptional }) => isOptional && !bug[field]);
  const single = [isUpdated, bug.dupe_of, isFreed].filter(Boolean);
  return (
    Math.max(1, comments.length) +
    links +
    [single, bareAttachments(source), unequallyPrivate(source), obsolete].flat().length
  );
}

function countMailings(mailings: Mailings, bug: Bug, requests: number): void {
  const roles = Object.fromEntries(DEFAULT_PEOPLE.map(({ field }) => [field, bug[field] ?? ""]));
  const people = { ...(roles as Record<DefaultedPerson, string>), cc: bug.cc ?? [] };
  const key = JSON.stringify(people);
  mailings.set(key, { people, requests: requests + (mailings.get(key)?.requests ?? 0) });
}

/** Logins that get mails about a bug. */
function peopleOf(bug: Bug): readonly string[] {
  const roles = PERSON_FIELDS.filter((role) => role !== "creator").map((role) => bug[role]);
  return [...new Set([...roles, ...(bug.cc ?? [])].flatMap((login) => login || []))];
}

function keyOf({ kind, of, name }: Need): string {
  return [kind, of, name].map((part) => part.toLowerCase()).join("\0");
}

function needsOf({ bug: source, attachments }: SourceBug, map: NameMap, selects: Census["selects"]): readonly Need[] {
  const bug = mappedBug(source, map);
  const product = bug.product ?? "";
  const place = `${product}/${bug.component}`;
  const need = (kind: NeedKind, of: string) => (name: string | null | undefined) =>
    name ? [{ kind, of, name, bugs: 1 }] : [];
  return [
    ...need("product", "")(product),
    ...PER_PRODUCT_FIELDS.flatMap((field) => need(field, product)(bug[field])),
    ...SHARED_CHOICE_FIELDS.flatMap((field) => need("value", field)(bug[field])),
    ...(bug.keywords ?? []).flatMap(need("keyword", "")),
    ...(bug.groups ?? []).flatMap(need("group", product)),
    ...peopleOf(bug).flatMap(need("user", "")),
    ...(bug.flags ?? []).flatMap((flag) => [...need("flag", place)(flag.name), ...need("user", "")(flag.requestee)]),
    ...attachments.flatMap(({ flags = [] }) => flags.flatMap(({ name }) => need("attachment flag", place)(name))),
    ...DEFAULT_PEOPLE.flatMap(({ field, parameter }) => need("parameter", "")(bug[field] && parameter)),
    ...(bug.alias ?? []).flatMap(need("alias", "")),
    ...customNeeds(bug, selects),
  ];
}

function customNeeds(bug: Bug, selects: Census["selects"]): readonly Need[] {
  const set = Object.entries(bug).filter(([field, value]) => field.startsWith("cf_") && !isUnset(value));
  return set.flatMap(([field, value]): readonly Need[] => {
    const values = selects.has(field) ? [value].flat().map(String) : [];
    return [
      { kind: "field", of: "", name: field, bugs: 1 },
      ...values.map((name) => ({ kind: "custom value" as const, of: field, name, bugs: 1 })),
    ];
  });
}

/** True for the value of a custom field that is not set. */
export function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === "---" || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value as never);
}
