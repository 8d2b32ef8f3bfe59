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

export function fieldCard(field: Field, view: View): string {
  const { id, name, value_field, visibility_field: depends, visibility_values, values = [] } = field;
  const title = cardTitle({ text: plain(fieldName(name)) }, { text: plain(field.display_name ?? "") }, view);
  const words = [typeWord(field), field.is_mandatory && "mandatory", field.is_custom && "custom"].filter(Boolean);
  const rows: CardRow[] = [
    ["ID", String(id ?? "-")],
    ["Internal name", fieldName(name) === name ? "" : name],
    ["Filled in", entryText(field.is_custom, field.is_on_bug_entry)],
    ["Shown when", depends ? `${fieldName(depends)} is ${visibility_values.join(" or ")}` : ""],
    ["Values by", value_field ? fieldName(value_field) : ""],
  ];
  const table = values.length > 0 ? `\n${listText(values, listing("table", valueColumns(values), view))}` : "";
  const dot = palette(view).quiet(` ${viewSigns(view).dot} `);
  return `${title}${words.join(dot)}\n\n${cardRows(rows, view)}${table}`;
}

// Only meaningful for custom fields: always false for the others.
function entryText(isCustom: boolean, isOnEntry: boolean): string {
  if (!isCustom) return "";
  return isOnEntry ? "on creation and later" : "only after creation";
}

export function groupCard(group: Group, view: View): string {
  const { quiet } = palette(view);
  const heading = cardTitle({ text: plain(group.name) }, { text: plain(group.description) }, view);
  const rows: CardRow[] = [
    ["ID", String(group.id)],
    ["Active", booleanText(group.is_active)],
    ["For bugs", booleanText(group.is_bug_group)],
    ["Login pattern", group.user_regexp ?? NOT_AVAILABLE],
    ["Icon", group.icon_url ?? ""],
  ];
  const members = returnedMembers(group);
  const table = members?.length
    ? listText(members, listing("table", memberColumns(members), view))
    : quiet("no members\n");
  return `${heading}\n${cardRows(rows, view)}${members ? `\n${table}` : ""}${attributesNote([group], view)}`;
}

function attributesNote(groups: Group[], view: View): string {
  const text = missingAttributesNote(groups);
  if (!text) return "";
  const lines = wrap(`note: ${text}`, view.terminal ? view.width : Infinity);
  return `\n${lines.map(palette(view).quiet).join("\n")}\n`;
}

export function productCard(product: TrackerProduct, view: View): string {
  const title = cardTitle({ text: plain(product.name) }, { text: plain(product.description ?? "") }, view);
  const rows: CardRow[] = [
    ["ID", String(product.id ?? "-")],
    ["Classification", product.classification ?? ""],
    ["Active", yesNoText(product.is_active)],
    ["Unconfirmed", ALLOWED[yesNoText(product.has_unconfirmed)] ?? ""],
    ["Versions", partText(product.versions)],
    ["Milestones", partText(product.milestones, product.default_milestone)],
  ];
  const components = product.components ?? [];
  const table = components.length > 0 ? `\n${listText(components, listing("table", COMPONENT_COLUMNS, view))}` : "";
  return `${title}\n${cardRows(rows, view)}${table}`;
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

export function jobCard(card: JobCard, view: View): string {
  const title = cardTitle({ text: card.job }, { text: plain(card.what) }, view);
  const [only, second] = card.writes;
  const rows: CardRow[] = [
    ["Status", [{ text: statusText(card), role: ROLE_BY_STATE[card.status] }]],
    ["Started", timeText(card.started, view)],
    ["By", card.user ?? ""],
    ["Tracker", card.tracker],
    ...(only && !second ? valueRows(only.request.body) : []),
    ["Requests", card.writes.map((write) => ({ text: writeText(write) }))],
    ["Next", card.next ?? ""],
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
    .map(([label, value]) => [label, exactText(value ?? null)] as const);
}
