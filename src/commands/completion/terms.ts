import { type Catalog, findField } from "../../api/catalog.ts";
import { STATE_NAMES } from "../../api/query/resolve.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import type { Candidate, Place, ValuesOf } from "./complete.ts";

/** The cached catalog of the tracker, and the candidates of other sources. */
type Known = { catalog: Catalog | undefined; valuesOf: ValuesOf };

/** Candidates for a term of a search: `is:open`, `component:Editor`, `-assignee:@me`, `sort:updated`. */
export async function termCandidates(place: Place, known: Known): Promise<Candidate[]> {
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

const SOURCE_OF_FIELD: Readonly<Record<string, string>> = { id: "bugs", depends_on: "bugs", blocks: "bugs" };

const SOURCE_OF_FAMILY: Partial<Readonly<Record<Family, string>>> = {
  person: "people",
  people: "people",
  "yes-no": "bool",
};
