import { DEFAULT_PEOPLE } from "../wire/default-people.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field, Group, TrackerProduct, TrackerProductPart } from "../wire/resources.ts";
import { type CardRow, cardRows, cardTitle } from "./card.ts";
import { type Column, exactText } from "./column.ts";
import { fieldName, typeWord, valueColumns } from "./field-columns.ts";
import { booleanText, memberColumns, missingAttributesNote, NOT_AVAILABLE, returnedMembers } from "./groups.ts";
import { listing, listText } from "./listing.ts";
import { columnMaker } from "./looks.ts";
import { palette, type Role } from "./palette.ts";
import { partText } from "./products.ts";
import { plain, yesNoText } from "./text.ts";
import { timeText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { wrap } from "./wrap.ts";

/** A field as a card: its properties and legal values. */
export function fieldCard(field: Field, view: View): string {
  const paints = palette(view);
  const title = cardTitle({ text: plain(fieldName(field.name)) }, { text: plain(field.display_name ?? "") }, view);
  const words = [typeWord(field), field.is_mandatory && "mandatory", field.is_custom && "custom"].filter(Boolean);
  const rows = cardRows([...ROWS.map(({ label, tell }) => ({ label, facts: [{ text: tell(field) }] }))], view);
  const values = field.values ?? [];
  const table = values.length > 0 ? `\n${listText(values, listing("table", valueColumns(values), view))}` : "";
  return `${title}${words.join(paints.quiet(` ${viewSigns(view).dot} `))}\n\n${rows}${table}`;
}

const ROWS: readonly { readonly label: string; readonly tell: (field: Field) => string }[] = [
  { label: "ID", tell: ({ id }) => String(id ?? "-") },
  { label: "Internal name", tell: (field) => (fieldName(field.name) === field.name ? "" : field.name) },
  { label: "Filled in", tell: ({ is_custom, is_on_bug_entry }) => entryText(is_custom, is_on_bug_entry) },
  {
    label: "Shown when",
    tell: ({ visibility_field: field, visibility_values: values }) =>
      field ? `${fieldName(field)} is ${values.join(" or ")}` : "",
  },
  { label: "Values by", tell: ({ value_field }) => (value_field ? fieldName(value_field) : "") },
];

// Only meaningful for custom fields: always false for the others.
function entryText(isCustom: boolean, isOnEntry: boolean): string {
  if (!isCustom) return "";
  return isOnEntry ? "on creation and later" : "only after creation";
}

/** A group as a card, with its members if they were requested. */
export function groupCard(group: Group, view: View): string {
  const { quiet } = palette(view);
  const heading = cardTitle({ text: plain(group.name) }, { text: plain(group.description) }, view);
  const rows = cardRows(
    [
      { label: "ID", facts: [{ text: String(group.id) }] },
      { label: "Active", facts: [{ text: booleanText(group.is_active) }] },
      { label: "For bugs", facts: [{ text: booleanText(group.is_bug_group) }] },
      { label: "Login pattern", facts: [{ text: group.user_regexp ?? NOT_AVAILABLE }] },
      { label: "Icon", facts: [{ text: group.icon_url ?? "" }] },
    ],
    view,
  );
  const members = returnedMembers(group);
  const table = members?.length
    ? listText(members, listing("table", memberColumns(members), view))
    : quiet("no members\n");
  return `${heading}\n${rows}${members ? `\n${table}` : ""}${attributesNote([group], view)}`;
}

function attributesNote(groups: Group[], view: View): string {
  const text = missingAttributesNote(groups);
  if (!text) return "";
  const lines = wrap(`note: ${text}`, view.terminal ? view.width : Infinity);
  return `\n${lines.map(palette(view).quiet).join("\n")}\n`;
}

/** A product as a card: its properties, versions and milestones, and a table of its components. */
export function productCard(product: TrackerProduct, view: View): string {
  const title = cardTitle({ text: plain(product.name) }, { text: plain(product.description ?? "") }, view);
  const rows = cardRows(
    [
      { label: "ID", facts: [{ text: String(product.id ?? "-") }] },
      { label: "Classification", facts: [{ text: product.classification ?? "" }] },
      { label: "Active", facts: [{ text: yesNoText(product.is_active) }] },
      { label: "Unconfirmed", facts: [{ text: ALLOWED[yesNoText(product.has_unconfirmed)] ?? "" }] },
      { label: "Versions", facts: [{ text: partText(product.versions) }] },
      { label: "Milestones", facts: [{ text: partText(product.milestones, product.default_milestone) }] },
    ],
    view,
  );
  const components = product.components ?? [];
  const table = components.length > 0 ? `\n${listText(components, listing("table", COMPONENT_COLUMNS, view))}` : "";
  return `${title}\n${rows}${table}`;
}

const ALLOWED: Readonly<Record<string, string>> = { yes: "allowed for new bugs", no: "not allowed" };

const column = columnMaker<TrackerProductPart>();

const COMPONENT_COLUMNS: readonly Column<TrackerProductPart>[] = [
  column("name", "Component", "text", {
    shrink: "never",
    paint: ({ is_active }) => (is_active === false ? "quiet" : undefined),
  }),
  ...DEFAULT_PEOPLE.map(({ read, label = read, isOptional }) =>
    column(read, label, "text", isOptional ? { optional: 1 } : {}),
  ),
  column("is_active", "Active", "yes-no", { optional: 3 }),
  column("description", "Description", "lines", { optional: 2 }),
];

/** A job with its request and attempts, as printed. */
export type JobCard = {
  job: string;
  status: string; // one word
  state: string; // what became of its writes
  what: string;
  started: string;
  tracker: string;
  user: string | null;
  writes: CardWrite[];
  next?: string | undefined; // how an open one goes on
};

type CardWrite = {
  request: { method: string; path: string; body?: Json | undefined };
  result: string;
  time?: string;
  message?: string;
};

/** A job as a card: its state, what it sends, and the result of each request. */
export function jobCard(card: JobCard, view: View): string {
  const title = cardTitle({ text: card.job }, { text: plain(card.what) }, view);
  const [only, second] = card.writes;
  const rows: CardRow[] = [
    { label: "Status", facts: [{ text: statusText(card), role: ROLE_BY_STATE[card.status] }] },
    { label: "Started", facts: [{ text: timeText(card.started, view) }] },
    { label: "By", facts: [{ text: card.user ?? "" }] },
    { label: "Tracker", facts: [{ text: card.tracker }] },
    ...(only && !second ? valueRows(only.request.body) : []),
    { label: "Requests", facts: card.writes.map((write) => ({ text: writeText(write) })) },
    { label: "Next", facts: [{ text: card.next ?? "" }] },
  ];
  return `${title}\n${cardRows(rows, view)}`;
}

function statusText({ status, state }: JobCard): string {
  return state.split(/[^\w-]/)[0] === status ? state : `${status} (${state})`;
}

function writeText({ request, result, message }: CardWrite): string {
  return exactText([`${request.method} ${request.path}: ${result}`, message].filter(Boolean).join(": "));
}

const ROLE_BY_STATE: Readonly<Record<string, Role>> = { unknown: "failed", unfinished: "warn" };

/** Values that the request sends, without the ids that are shown above. */
function valueRows(body: Json | undefined): CardRow[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries(body as JsonObject)
    .filter(([name]) => name !== "ids")
    .map(([label, value]) => ({ label, facts: [{ text: exactText(value ?? null) }] }));
}
