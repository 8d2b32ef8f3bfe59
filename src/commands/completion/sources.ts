import { type Catalog, type CatalogField, findField, isSettable, type LegalValue } from "../../api/catalog/catalog.ts";
import { legalValues } from "../../api/catalog/legal-values.ts";
import { selectableNames } from "../../api/field-selection.ts";
import { hasIgnoringCase } from "../../api/lists.ts";
import { readFlagTypeNames } from "../../api/names.ts";
import { EVERY_BUG, SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { findUsersMatching } from "../../api/people.ts";
import { STATE_NAMES } from "../../api/query/resolve.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { readSettings, SETTINGS, type Setting } from "../../config/settings.ts";
import { listMirrorNames } from "../../mirror/files.ts";
import { readSeen, type Seen, type SeenBug, type SeenComment } from "../../session/memory/seen.ts";
import { savedReplies } from "../../session/saved-replies.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { KNOWN_TRACKERS } from "../auth/address.ts";
import { HELP_TOPICS } from "../help-topics.ts";
import type { Context } from "../verb.ts";
import type { Candidate, Place, Source, ValuesOf } from "./complete.ts";

/** The files of completions/, by their shell; each calls `bt complete`, so that they need no update. */
export const SHELLS: ReadonlyMap<string, string> = new Map([
  ["bash", "bt.bash"],
  ["zsh", "_bt"],
  ["fish", "bt.fish"],
]);

/** Candidates of a source, from what is stored on this machine: completion never waits for a network tracker. */
export async function candidatesFrom(source: string, place: Place, context: Context): Promise<readonly Candidate[]> {
  try {
    return await (SOURCES[source]?.(place, context) ?? fieldCandidates(source, place, context));
  } catch {
    return [];
  }
}

/** Completion sources from bugs that were shown on a terminal recently, newest first. */
const SEEN_SOURCES = {
  people: async (place, context) => {
    const { people } = await readSeen(context.session.facts.memory);
    return [{ text: "@me", about: "yourself" }, ...textCandidates(people), ...(await readOwnUsers(place, context))];
  },
  groups: seenSource(({ groups }) => textCandidates(groups)),
  flags: async (_, { session }) => {
    const own = session.facts.isInProcess ? await readFlagTypeNames(session.send) : [];
    const names = new Set([...(await readSeen(session.facts.memory)).flags, ...own]);
    return [...names].flatMap((name) => FLAG_STATES.map(({ text, about }) => ({ text: `${name}${text}`, about })));
  },
  "saved searches": seenSource(({ searches }) => textCandidates(searches)),
  bugs: async (_, context) => {
    const { bugs } = await readSeen(context.session.facts.memory);
    const listed = [...bugs, ...(await readLastChangedBugs(context))];
    return listed.map(({ id, summary }) => ({ text: String(id), about: summary ?? "" }));
  },
  comments: seenSource(({ bugs }) =>
    bugs.flatMap(({ id, comments }) => comments.map((one) => commentCandidate(`${id}.${one.count}`, one))),
  ),
  "comment numbers": seenSource((seen, place) =>
    seenBugOn(place, seen).flatMap(({ comments }) => comments.map((one) => commentCandidate(String(one.count), one))),
  ),
  attachments: seenSource(({ bugs }) => bugs.flatMap(attachmentCandidates)),
  "attachments of the bug": seenSource((seen, place) => seenBugOn(place, seen).flatMap(attachmentCandidates)),
} as const satisfies Readonly<Record<string, Source>>;

const FLAG_STATES: Candidate[] = [
  { text: "?", about: "requested" },
  { text: "+", about: "granted" },
  { text: "-", about: "denied" },
];

/** Users of a tracker in this process, which needs no network. */
async function readOwnUsers({ start }: Place, { session }: Context): Promise<Candidate[]> {
  const users = session.facts.isInProcess ? await findUsersMatching(`${start}*`, session.send) : undefined;
  return (users ?? []).map(({ name, real_name }) => ({ text: name, about: real_name ?? "" }));
}

/** The bugs of such a tracker that changed last. */
async function readLastChangedBugs({ session }: Context): Promise<Bug[]> {
  if (!session.facts.isInProcess) return [];
  const last = { limit: 20, order: "changeddate DESC", include_fields: "id,summary" };
  return readBugs(await session.send(requestFor(SEARCH_BUGS, [...EVERY_BUG, ...Object.entries(last)])));
}

function seenSource(candidates: (seen: Seen, place: Place) => Candidate[]): Source {
  return async (place, { session }) => candidates(await readSeen(session.facts.memory), place);
}

function textCandidates(texts: readonly string[]): Candidate[] {
  return texts.map((text) => ({ text, about: "" }));
}

/** The bug that is the first argument, if it was shown. */
function seenBugOn({ args: [bug] }: Place, { bugs }: Seen): SeenBug[] {
  return bugs.filter(({ id }) => String(id) === bug);
}

function commentCandidate(text: string, { creator, time }: SeenComment): Candidate {
  return { text, about: creator === undefined ? "" : `${creator}, ${time?.slice(0, "2000-01-01".length)}` };
}

function attachmentCandidates({ id: bug, attachments }: SeenBug): Candidate[] {
  return attachments.map(({ id, file_name }) => ({
    text: String(id),
    about: file_name === undefined ? `bug ${bug}` : `${file_name}, bug ${bug}`,
  }));
}

/** The cached catalog of the tracker, and the candidates of other sources. */
type Known = { catalog: Catalog | undefined; valuesOf: ValuesOf };

/** Candidates for a term of a search: `is:open`, `component:Editor`, `-assignee:@me`, `sort:updated`. */
async function termCandidates(place: Place, known: Known): Promise<Candidate[]> {
  const [, head = "", word = ""] = /^([-!]?[\p{L}_][\w.]*(?::|!?=))(.*)$/su.exec(place.start) ?? [];
  if (head === "") return termStarts(place, known);
  const list = word.slice(0, word.lastIndexOf(",") + 1);
  const values = await valuesAfter(head.replace(/^[-!]/, ""), { ...place, start: word.slice(list.length) }, known);
  return values.map(({ text, about }) => ({ text: `${head}${list}${text}`, about }));
}

/** `is:` and the like, and the names of fields, each with the colon that follows it. */
async function termStarts(place: Place, known: Known): Promise<Candidate[]> {
  const sign = /^[-!]/.exec(place.start)?.[0] ?? "";
  const fields = await known.valuesOf("field names", place);
  const starts = [...SHORT_TERMS, ...fields.map(({ text, about }) => ({ text: `${text}:`, about }))];
  return starts.map(({ text, about }) => ({ text: `${sign}${text}`, about }));
}

const SHORT_TERMS: readonly Candidate[] = [
  { text: "is:", about: "a state: open, closed, mine" },
  { text: "has:", about: "a field is set" },
  { text: "no:", about: "a field is empty" },
  { text: "sort:", about: "sort order" },
];

async function valuesAfter(head: string, place: Place, known: Known): Promise<readonly Candidate[]> {
  if (head === "is:") return STATE_NAMES.map((text) => ({ text, about: "" }));
  const source = SOURCE_OF_TERM[head];
  if (source) return known.valuesOf(source, place);
  const field = known.catalog && findField(known.catalog, head.replace(/[:!=]+$/, ""));
  return field ? known.valuesOf(SOURCE_OF_FIELD[field.api] ?? SOURCE_OF_FAMILY[field.family] ?? field.api, place) : [];
}

const SOURCE_OF_TERM: Readonly<Record<string, string>> = {
  "has:": "field names",
  "no:": "field names",
  "sort:": "sort keys",
};

/** Completion sources other than the values of a field. */
const SOURCES: Readonly<Record<string, Source>> = {
  bool: () => textCandidates(["yes", "no"]),
  settings: (_, { io }) => [
    ...Object.entries(SETTINGS).map(([text, { about }]) => ({ text, about })),
    ...[...savedReplies(readSettings(io))].map(([name, text]) => ({ text: `reply.${name}`, about: text })),
  ],
  "setting values": settingValues,
  ...SEEN_SOURCES,
  shells: () => textCandidates([...SHELLS.keys()]),
  "help topics": async () => {
    return Object.entries(HELP_TOPICS).map(([text, about]) => ({ text, about }));
  },
  trackers: async (_, { io }) => {
    return [
      ...Object.entries(KNOWN_TRACKERS).map(([text, about]) => ({ text, about })),
      ...configuredAddresses(io).filter(({ text }) => /^https?:/.test(text)),
    ];
  },
  addresses: (_, { io }) => [
    { text: "demo:", about: "a tracker with example bugs, which remembers changes for a day" },
    { text: "local:", about: "your tracker in a file" },
    ...listMirrorNames(io).map((name) => ({ text: `mirror:${name}`, about: "a mirror" })),
    ...configuredAddresses(io).filter(({ text }) => !["demo:", "local:"].includes(text)),
  ],
  aliases: (_, { io }) =>
    Object.entries(readSettings(io).aliases ?? {}).map(([text, about]) => ({ text, about: `bt ${about}` })),
  profiles: (_, { io }) =>
    Object.entries(readSettings(io).profiles ?? {}).map(([text, { base_url = "" }]) => ({ text, about: base_url })),
  jobs: async (_, { io }) =>
    (await import("../../jobs/job-files.ts")).listJobs(io).map(({ name }) => ({ text: name, about: "" })),
  "field names": async (_, context) => (await catalogFields(context)).map(fieldCandidate),
  "printed fields": async (_, context) => {
    const catalog = await context.session.metadata.cachedCatalog();
    const labels = new Map(catalog?.fields.map((field) => [field.api, fieldCandidate(field)]));
    const names = catalog && selectableNames(catalog);
    return names?.map((text) => labels.get(text) ?? { text, about: "" }) ?? [];
  },
  "custom fields": async (_, context) =>
    (await catalogFields(context)).filter(isSettable).map(({ api, label }) => ({ text: `${api}=`, about: label })),
  "sort keys": sortCandidates,
  "states and statuses": async (place, context) => [
    ...textCandidates(["@open", "@closed", "@all"]),
    ...(await fieldCandidates("status", place, context)),
  ],
  terms: async (place, context) => {
    const catalog = await context.session.metadata.cachedCatalog();
    return termCandidates(place, { catalog, valuesOf: (source, at) => candidatesFrom(source, at, context) });
  },
};

/** Addresses in the configuration, with their profiles. */
function configuredAddresses(io: Context["io"]): Candidate[] {
  const { base_url, profiles = {} } = readSettings(io);
  const named = Object.entries(profiles).map(([name, profile]) => ({
    text: profile.base_url,
    about: `profile ${name}`,
  }));
  const all = [{ text: base_url, about: "the default tracker" }, ...named];
  const found: Candidate[] = [];
  for (const { text, about } of all) if (text !== undefined) found.push({ text, about });
  return found;
}

async function catalogFields(context: Context): Promise<Catalog["fields"]> {
  return (await context.session.metadata.cachedCatalog())?.fields ?? [];
}

/** A field under its own name, with its label if that says more. */
function fieldCandidate({ api, label }: CatalogField): Candidate {
  return { text: api, about: label === api ? "" : label };
}

/** Sortable fields; after a whole name and a colon, the directions. */
async function sortCandidates({ start }: Place, context: Context): Promise<Candidate[]> {
  const fields = (await catalogFields(context)).filter(({ order }) => order !== undefined);
  const [, name] = /^([\w.]+):/.exec(start) ?? [];
  if (name !== undefined) return textCandidates([`${name}:asc`, `${name}:desc`]);
  return fields.flatMap((field) => [
    fieldCandidate(field),
    ...(field.also ?? []).map((text) => ({ text, about: field.label })),
  ]);
}

/** Cached legal values of a field, of the products that the line is about if there are any. */
async function fieldCandidates(name: string, place: Place, context: Context): Promise<Candidate[]> {
  const catalog = await context.session.metadata.cachedCatalog();
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  const known = (field.isPerProduct ? await productsInPlace(place, context) : []).filter((product) =>
    isProduct(product, catalog),
  );
  const values = known.length > 0 ? known.flatMap((product) => legalValues(field, product)) : field.values;
  const notes = new Map<string, Set<string>>();
  if (field.type === FIELD_TYPE.extension)
    for (const text of (await readSeen(context.session.facts.memory)).values.get(field.chart) ?? [])
      notes.set(text, new Set());
  for (const value of values) {
    const products = field.isPerProduct && known.length !== 1 ? (value.visibility_values ?? []) : [];
    notes.set(value.name, new Set([...(notes.get(value.name) ?? []), ...products, ...stateOf(value)]));
  }
  notes.delete("");
  return [...notes].map(([text, about]) => ({ text, about: [...about].join(", ") }));
}

function stateOf({ is_open }: LegalValue): string[] {
  return is_open === undefined ? [] : [is_open ? "open" : "closed"];
}

/** The products on the line, else the default one if the verb takes it. */
async function productsInPlace({ verb, products }: Place, context: Context): Promise<readonly string[]> {
  if (products.length > 0 || !verb?.hasDefaults) return products;
  const product = context.session.settings.product;
  return product === undefined ? [] : [product];
}

function isProduct(name: string, { products = [] }: Catalog): boolean {
  return hasIgnoringCase(products, name);
}

/** Values of the setting that is the first argument. */
async function settingValues(place: Place, context: Context): Promise<readonly Candidate[]> {
  const [name = ""] = place.args;
  const setting: Setting | undefined = Object.hasOwn(SETTINGS, name)
    ? SETTINGS[name as keyof typeof SETTINGS]
    : undefined;
  if (setting === undefined) return [];
  if (setting.choices) return textCandidates(setting.choices);
  return candidatesFrom(setting.type === "yes-no" ? "bool" : (SOURCE_OF_SETTING[name] ?? name), place, context);
}

/** Sources of settings that are not the default of the field of their name. */
const SOURCE_OF_SETTING: Readonly<Record<string, string>> = {
  base_url: "addresses",
  profile: "profiles",
  fields: "printed fields",
  sort: "sort keys",
};

const SOURCE_OF_FIELD: Readonly<Record<string, string>> = { id: "bugs", depends_on: "bugs", blocks: "bugs" };

const SOURCE_OF_FAMILY: Partial<Readonly<Record<Family, string>>> = {
  person: "people",
  people: "people",
  "yes-no": "bool",
};
