import {
  buildCatalog,
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  readCachedFields,
} from "../../api/catalog/catalog.ts";
import { legalValues } from "../../api/catalog/legal-values.ts";
import { selectableNames } from "../../api/field-selection.ts";
import { hasIgnoringCase } from "../../api/lists.ts";
import { STATE_NAMES } from "../../api/query/resolve.ts";
import { readSettings, SETTINGS, savedReplies } from "../../config/settings.ts";
import { listMirrorNames } from "../../mirror/files.ts";
import { readRecentBugs } from "../../session/memory.ts";
import type { Context, Verb } from "../verb.ts";

/** A completion candidate. */
export type Candidate = { readonly text: string; readonly about: string };

/** The place of a value: its beginning, the verb, arguments and products before it. */
export type Place = {
  readonly start: string;
  readonly verb: Verb | undefined;
  readonly args: readonly string[];
  readonly products: readonly string[];
  readonly context: Context;
};

/** The files of completions/ by shell; each calls `bt complete`, so that it needs no update. */
export const SHELLS: ReadonlyMap<string, string> = new Map([
  ["bash", "bt.bash"],
  ["zsh", "_bt"],
  ["fish", "bt.fish"],
]);

/** Candidates of a source that are stored on this machine: completion waits for no network. */
export async function candidatesFrom(source: string, place: Place): Promise<readonly Candidate[]> {
  try {
    return await (SOURCES[source]?.(place) ?? fieldValues(source, place));
  } catch {
    return [];
  }
}

export function candidates(texts: readonly (string | readonly [text: string, about: string])[]): Candidate[] {
  return texts.map((one) => (typeof one === "string" ? { text: one, about: "" } : { text: one[0], about: one[1] }));
}

type Source = (place: Place) => Promise<readonly Candidate[]> | readonly Candidate[];

/** Completion sources other than the values of a field. */
const SOURCES: Readonly<Record<string, Source>> = {
  bool: () => candidates(["yes", "no"]),
  people: () => candidates([["@me", "yourself"]]),
  shells: () => candidates([...SHELLS.keys()]),
  addresses: ({ context: { io } }) =>
    candidates([
      ["demo:", "a tracker with example bugs, which remembers changes"],
      ["local:", "your tracker in a file"],
      ...listMirrorNames(io).map((name) => [`mirror:${name}`, "a mirror"] as const),
    ]),
  settings: ({ context: { io } }) =>
    candidates([
      ...Object.entries(SETTINGS).map(([name, { about }]) => [name, about] as const),
      ...[...savedReplies(readSettings(io))].map(([name, text]) => [`reply.${name}`, text] as const),
    ]),
  aliases: ({ context: { io } }) =>
    candidates(Object.entries(readSettings(io).aliases ?? {}).map(([name, line]) => [name, `bt ${line}`])),
  profiles: ({ context: { io } }) =>
    candidates(Object.entries(readSettings(io).profiles ?? {}).map(([name, { base_url = "" }]) => [name, base_url])),
  mirrors: ({ context: { io } }) => candidates(listMirrorNames(io)),
  jobs: async ({ context: { io } }) =>
    candidates((await import("../../jobs/job-files.ts")).openJobs(io).map(({ name }) => name)),
  bugs: async ({ context: { session } }) =>
    candidates((await readRecentBugs(session.memory)).map(({ id, summary = "" }) => [String(id), summary])),
  "field names": async (place) => fieldCandidates(await catalogOf(place)),
  "printed fields": selectableFields,
  "custom fields": async (place) => followedBy("=", fieldCandidates(await catalogOf(place), isSettable)),
  "sort keys": async (place) => fieldCandidates(await catalogOf(place), ({ order }) => order !== undefined),
  "states and statuses": async (place) => [
    ...candidates(["@open", "@closed", "@all"]),
    ...(await fieldValues("status", place)),
  ],
  terms: async (place) => [
    ...candidates(STATE_NAMES.map((name) => `is:${name}`)),
    ...followedBy(":", fieldCandidates(await catalogOf(place))),
  ],
};

/** The catalog without a request: from the cache, whatever its age, or of a tracker in this process. */
async function catalogOf({ context: { session } }: Place): Promise<Catalog | undefined> {
  if (!session.network) return session.catalog();
  const fields = await readCachedFields(session.memory);
  return fields && buildCatalog(fields);
}

/** Fields under their own names, with their labels if these say more. */
function fieldCandidates(
  catalog: Catalog | undefined,
  isWanted: (field: CatalogField) => boolean = () => true,
): Candidate[] {
  const fields = catalog?.fields.filter(isWanted) ?? [];
  return candidates(fields.map(({ api, label }) => [api, label === api ? "" : label]));
}

function followedBy(sign: string, found: Candidate[]): Candidate[] {
  return found.map(({ text, about }) => ({ text: `${text}${sign}`, about }));
}

async function selectableFields(place: Place): Promise<Candidate[]> {
  const catalog = await catalogOf(place);
  const labels = new Map(fieldCandidates(catalog).map(({ text, about }) => [text, about]));
  return candidates((catalog ? selectableNames(catalog) : []).map((name) => [name, labels.get(name) ?? ""]));
}

/** Cached legal values of a field, of the products on the line if there are any. */
async function fieldValues(name: string, place: Place): Promise<Candidate[]> {
  const catalog = await catalogOf(place);
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  const named = field.isPerProduct ? place.products : [];
  const known = named.filter((product) => hasIgnoringCase(catalog.products ?? [], product));
  const values = known.length > 0 ? known.flatMap((product) => legalValues(field, product)) : field.values;
  return candidates([...new Set(values.map(({ name: value }) => value))].filter(Boolean));
}
