import { type Catalog, type CatalogField, findField, isSettable, type LegalValue } from "../../api/catalog/catalog.ts";
import { legalValues } from "../../api/catalog/legal-values.ts";
import { selectableNames } from "../../api/field-selection.ts";
import { hasIgnoringCase } from "../../api/lists.ts";
import { STATE_NAMES } from "../../api/query/resolve.ts";
import { readSettings, SETTINGS, type Setting } from "../../config/settings.ts";
import { listMirrorNames } from "../../mirror/files.ts";
import { readRecentBugs } from "../../session/memory/recent-bugs.ts";
import { savedReplies } from "../../session/saved-replies.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import { KNOWN_TRACKERS } from "../auth/address.ts";
import { HELP_TOPICS } from "../help-topics.ts";
import type { Context, Verb } from "../verb.ts";

/** A completion candidate. */
export type Candidate = { readonly text: string; readonly about: string };

/** Context of a value on the line: its beginning, the verb and arguments before it, and the products named there. */
export type Place = {
  readonly start: string;
  readonly verb?: Verb | undefined;
  readonly args: readonly string[];
  readonly products: readonly string[];
};

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

type Source = (place: Place, context: Context) => Promise<readonly Candidate[]> | readonly Candidate[];

/** Completion sources other than the values of a field. */
const SOURCES: Readonly<Record<string, Source>> = {
  bool: () => candidates(["yes", "no"]),
  people: () => [ME],
  shells: () => candidates([...SHELLS.keys()]),
  "help topics": () => candidates(Object.entries(HELP_TOPICS)),
  settings: (_, { io }) => [
    ...candidates(Object.entries(SETTINGS).map(([name, { about }]) => [name, about])),
    ...candidates([...savedReplies(readSettings(io))].map(([name, text]) => [`reply.${name}`, text])),
  ],
  "setting values": settingValues,
  trackers: (_, { io }) => [
    ...candidates(Object.entries(KNOWN_TRACKERS)),
    ...configuredAddresses(io).filter(({ text }) => /^https?:/.test(text)),
  ],
  addresses: (_, { io }) => [
    ...OWN_ADDRESSES,
    ...candidates(listMirrorNames(io).map((name) => [`mirror:${name}`, "a mirror"])),
    ...configuredAddresses(io).filter(({ text }) => OWN_ADDRESSES.every((own) => own.text !== text)),
  ],
  aliases: (_, { io }) =>
    candidates(Object.entries(readSettings(io).aliases ?? {}).map(([name, line]) => [name, `bt ${line}`])),
  profiles: (_, { io }) =>
    candidates(Object.entries(readSettings(io).profiles ?? {}).map(([name, { base_url = "" }]) => [name, base_url])),
  mirrors: (_, { io }) => candidates(listMirrorNames(io)),
  jobs: async (_, { io }) => candidates((await import("../../jobs/job-files.ts")).listJobs(io).map(({ name }) => name)),
  bugs: async (_, { session }) =>
    candidates((await readRecentBugs(session.facts.memory)).map(({ id, summary = "" }) => [String(id), summary])),
  "field names": async (_, context) => (await catalogFields(context)).map(fieldCandidate),
  "printed fields": printedFields,
  "custom fields": async (_, context) =>
    candidates((await catalogFields(context)).filter(isSettable).map(({ api, label }) => [`${api}=`, label])),
  "sort keys": sortCandidates,
  "states and statuses": async (place, context) => [
    ...candidates(["@open", "@closed", "@all"]),
    ...(await fieldCandidates("status", place, context)),
  ],
  terms: termCandidates,
};

const ME: Candidate = { text: "@me", about: "yourself" };

const OWN_ADDRESSES: readonly Candidate[] = [
  { text: "demo:", about: "a tracker with example bugs, which remembers changes for a day" },
  { text: "local:", about: "your tracker in a file" },
];

function candidates(texts: readonly (string | readonly [text: string, about: string])[]): Candidate[] {
  return texts.map((one) => (typeof one === "string" ? { text: one, about: "" } : { text: one[0], about: one[1] }));
}

/** Addresses in the configuration, with their profiles. */
function configuredAddresses(io: Context["io"]): Candidate[] {
  const { base_url, profiles = {} } = readSettings(io);
  const named = Object.entries(profiles).map(([name, profile]) => [profile.base_url, `profile ${name}`] as const);
  const all = [[base_url, "the default tracker"] as const, ...named];
  return candidates(all.flatMap(([address, about]) => (address === undefined ? [] : [[address, about] as const])));
}

async function catalogFields(context: Context): Promise<Catalog["fields"]> {
  return (await context.session.metadata.cachedCatalog())?.fields ?? [];
}

/** A field under its own name, with its label if that says more. */
function fieldCandidate({ api, label }: CatalogField): Candidate {
  return { text: api, about: label === api ? "" : label };
}

async function printedFields(_: Place, context: Context): Promise<Candidate[]> {
  const catalog = await context.session.metadata.cachedCatalog();
  const labels = new Map(catalog?.fields.map((field) => [field.api, fieldCandidate(field)]));
  const names = catalog ? selectableNames(catalog) : [];
  return names.map((text) => labels.get(text) ?? { text, about: "" });
}

/** Sortable fields; after a whole name and a colon, the directions. */
async function sortCandidates({ start }: Place, context: Context): Promise<Candidate[]> {
  const [, name] = /^([\w.]+):/.exec(start) ?? [];
  if (name !== undefined) return candidates([`${name}:asc`, `${name}:desc`]);
  const fields = (await catalogFields(context)).filter(({ order }) => order !== undefined);
  return fields.flatMap((field) => [
    fieldCandidate(field),
    ...candidates((field.also ?? []).map((text) => [text, field.label])),
  ]);
}

/** Candidates for a term of a search: `is:open`, `component:Editor`, `-assignee:@me`. */
async function termCandidates(place: Place, context: Context): Promise<Candidate[]> {
  const [, sign = "", name = "", operator = "", word = ""] =
    /^([-!]?)([\p{L}_][\w.]*)(:|!?=)(.*)$/su.exec(place.start) ?? [];
  if (operator === "") return termStarts(/^[-!]?/.exec(place.start)?.[0] ?? "", context);
  const list = word.slice(0, word.lastIndexOf(",") + 1);
  const values = await valuesAfter(name, { ...place, start: word.slice(list.length) }, context);
  return values.map(({ text, about }) => ({ text: `${sign}${name}${operator}${list}${text}`, about }));
}

/** `is:` and the like, and the names of fields, each with the colon that follows it. */
async function termStarts(sign: string, context: Context): Promise<Candidate[]> {
  const fields = (await catalogFields(context)).map(fieldCandidate);
  const starts = [...SHORT_TERMS, ...fields.map(({ text, about }) => ({ text: `${text}:`, about }))];
  return starts.map(({ text, about }) => ({ text: `${sign}${text}`, about }));
}

const SHORT_TERMS: readonly Candidate[] = [
  { text: "is:", about: "a state: open, closed, mine" },
  { text: "has:", about: "a field is set" },
  { text: "no:", about: "a field is empty" },
];

async function valuesAfter(name: string, place: Place, context: Context): Promise<readonly Candidate[]> {
  if (name === "is") return candidates(STATE_NAMES);
  if (name === "has" || name === "no") return candidatesFrom("field names", place, context);
  const catalog = await context.session.metadata.cachedCatalog();
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  return candidatesFrom(SOURCE_OF_FIELD[field.api] ?? SOURCE_OF_FAMILY[field.family] ?? field.api, place, context);
}

const SOURCE_OF_FIELD: Readonly<Record<string, string>> = { id: "bugs", depends_on: "bugs", blocks: "bugs" };

const SOURCE_OF_FAMILY: Partial<Readonly<Record<Family, string>>> = {
  person: "people",
  people: "people",
  "yes-no": "bool",
};

/** Cached legal values of a field, of the products that the line is about if there are any. */
async function fieldCandidates(name: string, place: Place, context: Context): Promise<Candidate[]> {
  const catalog = await context.session.metadata.cachedCatalog();
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  const named = field.isPerProduct ? productsInPlace(place, context) : [];
  const known = named.filter((product) => hasIgnoringCase(catalog.products ?? [], product));
  const values = known.length > 0 ? known.flatMap((product) => legalValues(field, product)) : field.values;
  const notes = new Map<string, Set<string>>();
  for (const value of values) {
    const products = field.isPerProduct && known.length !== 1 ? (value.visibility_values ?? []) : [];
    notes.set(value.name, new Set([...(notes.get(value.name) ?? []), ...products, ...stateOf(value)]));
  }
  notes.delete("");
  return candidates([...notes].map(([text, about]) => [text, [...about].join(", ")]));
}

function stateOf({ is_open }: LegalValue): string[] {
  return is_open === undefined ? [] : [is_open ? "open" : "closed"];
}

/** The products on the line, else the default one if the verb takes it. */
function productsInPlace({ verb, products }: Place, { session }: Context): readonly string[] {
  if (products.length > 0 || !verb?.hasDefaults) return products;
  const { product } = session.settings;
  return product === undefined ? [] : [product];
}

/** Values of the setting that is the first argument. */
async function settingValues(place: Place, context: Context): Promise<readonly Candidate[]> {
  const [name = ""] = place.args;
  if (!Object.hasOwn(SETTINGS, name)) return [];
  const { kind }: Setting = SETTINGS[name as keyof typeof SETTINGS];
  if (kind.choices) return candidates(kind.choices);
  return candidatesFrom(SOURCE_OF_SETTING[name] ?? name, place, context);
}

/** Sources of settings that are not the default of the field of their name. */
const SOURCE_OF_SETTING: Readonly<Record<string, string>> = {
  allow_http: "bool",
  base_url: "addresses",
  profile: "profiles",
  fields: "printed fields",
  sort: "sort keys",
};
