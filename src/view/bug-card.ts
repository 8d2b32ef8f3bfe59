import { addedName, isAddedField } from "../wire/added-fields.ts";
import { BUG_FIELD_ROWS, type Bug, bugFieldRow, type ShownField } from "../wire/bug-fields.ts";
import type { Flag, User } from "../wire/bug-values.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import { type CardRow, cardRows, cardTitle, type Fact } from "./card.ts";
import { exactText } from "./column.ts";
import { type FieldKind, fieldFacts } from "./field-facts.ts";
import { bugPage, withLinks } from "./links.ts";
import { valueText } from "./looks.ts";
import { palette, statusRole, urgencyRole } from "./palette.ts";
import { compareTexts, countText, plain } from "./text.ts";
import { hoursText, isPast, relativeTime, timeText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { type Piece, wrap, wrapPieces } from "./wrap.ts";

/** Data of a bug's card: the bug, the tracker's field metadata, and related bugs if known. */
export type BugCard = {
  readonly bug: Bug;
  readonly fields?: readonly Field[];
  readonly related?: ReadonlyMap<number, Bug>;
};

/** A bug as a card; empty fields are omitted. */
export function bugCard(card: BugCard, view: View): string {
  const rows = [
    ...ROWS.map((row) => row(card, view)),
    ...customRows(card.bug, card.fields ?? [], view),
    addressRow(card, view),
  ];
  const body = withLinks(cardRows(rows, view), view);
  return `${titleLine(card.bug, view)}${stateLine(card.bug, view)}${body && `\n${body}`}`;
}

function titleLine({ id, summary, status, is_open }: Bug, view: View): string {
  const name = { text: `#${id ?? "?"}`, role: statusRole(status, is_open) };
  return cardTitle(name, { text: plain(summary ?? ""), role: "title" }, view);
}

function stateLine(bug: Bug, view: View): string {
  const line = dottedFacts(stateFacts(bug), view);
  return line && `${line}\n`;
}

/** Status, priority and severity, as far as they say something. */
function stateFacts({ status, resolution, dupe_of, is_open, priority, severity }: Bug): Piece[] {
  const words = [status, resolution, dupe_of ? `of #${dupe_of}` : ""].filter(Boolean).join(" ");
  return [
    { text: words, role: statusRole(status, is_open) },
    { text: textUnlessNone(priority), role: urgencyRole(priority) },
    { text: textUnlessNone(severity), role: urgencyRole(severity) },
  ];
}

/** Facts on lines, as many as a terminal needs for them. */
function dottedFacts(facts: Piece[], view: View): string {
  const columns = view.terminal ? view.width : Infinity;
  const given = facts.filter(({ text }) => text !== "");
  const pieces = given.flatMap(({ text, role }) => wrap(plain(text), columns).map((line) => ({ text: line, role })));
  return wrapPieces(pieces, columns, palette(view), { text: dotIn(view), role: "quiet" }).join("\n");
}

/** A bug on a small screen: the summary, and for a decision two lines of facts, three if it has flags, more on a narrow terminal. */
export function bugBrief(
  { bug, fields = [] }: BugCard,
  comments: number,
  view: View,
): { title: string; facts: string } {
  const { product, component, version, keywords, flags, deadline: day, creation_time } = bug;
  const named = (name: "assigned_to" | "creator"): Piece => {
    const user = bug[`${name}_detail`]?.real_name || bug[name];
    return { text: user ? `${fieldFacts(name, fields).label.toLowerCase()} ${user}` : "" };
  };
  const place: Piece[] = [
    ...stateFacts(bug),
    { text: [product, component].filter(Boolean).join(` ${viewSigns(view).inside} `) },
    { text: textUnlessNone([version].flat().join(", ")) },
    { text: (keywords ?? []).join(", ") },
  ];
  const people: Piece[] = [
    { text: bug.groups?.length ? `restricted to ${bug.groups.join(", ")}` : "", role: "warn" },
    named("assigned_to"),
    named("creator"),
    { text: relativeTime(creation_time ?? "", view), role: "quiet" },
    { text: day ? `due ${day}` : "" },
    { text: comments > 0 ? countText(comments, "comment") : "" },
  ];
  const facts = [place, people, (flags ?? []).map((flag) => ({ text: flagSentence(flag) }))];
  const lines = facts.map((line) => dottedFacts(line, view)).filter(Boolean);
  return { title: titleLine(bug, view), facts: lines.map((line) => `${line}\n`).join("") };
}

/** The address of the bug itself, on a tracker that has pages. */
function addressRow({ bug }: BugCard, { web }: View): CardRow {
  return { label: "Address", facts: [{ text: web === undefined || !bug.id ? "" : bugPage(web, bug.id) }] };
}

/** Separator of facts on a line. */
function dotIn(view: View): string {
  return ` ${viewSigns(view).dot} `;
}

type MakeCardRow = (card: BugCard, view: View) => CardRow;
type RowFacts = (bug: Bug, view: View) => string | Fact[];

function createRow(label: string, facts: RowFacts): MakeCardRow {
  return ({ bug }, view) => {
    const value = facts(bug, view);
    return { label, facts: typeof value === "string" ? [{ text: value }] : value };
  };
}

/** A row with the label of a field, and with its value by its kind unless told otherwise. */
function fieldRow(name: ShownField, facts: RowFacts = (bug, view) => cardText(bug, name, view)): MakeCardRow {
  return (card, view) => createRow(labelIn(card, name), facts)(card, view);
}

function labelIn({ fields }: BugCard, name: ShownField): string {
  return fieldFacts(name, fields).label;
}

function cardText(bug: Bug, name: ShownField, view: View): string {
  const { json, family = "" } = bugFieldRow(name) ?? {};
  const value = bug[name] ?? null;
  if (family === "person")
    return nameAndLogin(exactText(value as Json), bug[`${name}_detail` as keyof Bug] as User | undefined);
  if (json === "datetime") return timeText(exactText(value as Json), view);
  return Array.isArray(value) ? value.join(", ") : textUnlessNone(exactText(value as Json));
}

const ROWS: readonly MakeCardRow[] = [
  createRow("Restricted", groupFacts),
  fieldRow("alias"),
  fieldRow("product", ({ product, component }, view) =>
    [product, component].filter(Boolean).join(` ${viewSigns(view).inside} `),
  ),
  fieldRow("classification", ({ classification }) =>
    classification === "Unclassified" ? "" : textUnlessNone(classification),
  ),
  fieldRow("version"),
  fieldRow("target_milestone"),
  fieldRow("platform", ({ platform, op_sys }) =>
    [...new Set([textUnlessNone(platform), textUnlessNone(op_sys)])].filter(Boolean).join(", "),
  ),
  fieldRow("assigned_to"),
  fieldRow("qa_contact"),
  fieldRow("creator"),
  fieldRow("cc", ccText),
  fieldRow("creation_time"),
  fieldRow("last_change_time"),
  fieldRow("deadline", deadlineFacts),
  (card, view) => {
    const { bug, related: known } = card;
    const original = known?.get(bug.dupe_of ?? 0);
    return {
      label: labelIn(card, "dupe_of"),
      facts: original ? [relatedFact(bug.dupe_of ?? 0, original, view)] : [],
    };
  },
  (card, view) => relatedRow("depends_on", card, view),
  (card, view) => relatedRow("blocks", card, view),
  fieldRow("keywords"),
  ...furtherTexts().map((name) => fieldRow(name)),
  fieldRow("flags", ({ flags }, view) =>
    (flags ?? []).map((flag) => {
      const { modification_date: when } = flag;
      return { text: `${flagSentence(flag)} ${view.terminal ? relativeTime(when, view) : (when ?? "-")}` };
    }),
  ),
  fieldRow("url"),
  fieldRow("see_also", ({ see_also }) => (see_also ?? []).map((text) => ({ text }))),
  createRow("Time", ({ estimated_time, actual_time, remaining_time }, view) =>
    [hoursOrNone(estimated_time, "estimated"), hoursOrNone(actual_time, "worked"), hoursOrNone(remaining_time, "left")]
      .filter(Boolean)
      .join(dotIn(view)),
  ),
  fieldRow("tags"),
];

/** The texts of a bug other than its summary and URL. */
function furtherTexts(): ShownField[] {
  const texts = BUG_FIELD_ROWS.filter(
    ([name, { json, family }]) => json && family === "text" && !["summary", "url"].includes(name),
  );
  return texts.map(([name]) => name as ShownField);
}

const MAX_CC = 12;

function textUnlessNone(value: string | null | undefined): string {
  return value && value !== "---" ? value : "";
}

function nameAndLogin(login: string, detail: User | null | undefined): string {
  const name = detail?.real_name;
  return name && name !== login ? `${name} <${login || detail.name}>` : login;
}

function ccText({ cc, cc_detail }: Bug, view: View): string {
  const people = cc_detail?.map(({ name }) => name) ?? cc ?? [];
  const most = view.terminal ? MAX_CC : Infinity;
  const rest = people.length > most ? `and ${people.length - most} more` : "";
  return [...people.slice(0, most), rest].filter(Boolean).join(", ");
}

function deadlineFacts({ deadline: date, is_open }: Bug, view: View): Fact[] {
  if (!date) return [];
  if (!view.terminal) return [{ text: date }];
  const isOver = isPast(date, view);
  if (isOver) return [{ text: is_open ? `${date}${dotIn(view)}overdue` : date, role: is_open ? "urgent" : undefined }];
  return [{ text: `${date}${dotIn(view)}${relativeTime(`${date}T23:59:59Z`, view)}` }];
}

function relatedRow(name: "depends_on" | "blocks", card: BugCard, view: View): CardRow {
  const [label, ids] = [labelIn(card, name), card.bug[name] ?? []];
  const known = ids.some((id) => card.related?.has(id));
  const text = ids.map((id) => `#${id}`).join(", ");
  return { label, facts: known ? ids.map((id) => relatedFact(id, card.related?.get(id), view)) : [{ text }] };
}

function relatedFact(id: number, bug: Bug | undefined, view: View): Fact {
  const lead = [`#${id}`, bug?.status, bug?.resolution].filter(Boolean).join(" ");
  return { lead, text: bug?.summary ?? "", role: statusRole(bug?.status, bug?.is_open), isOneLine: view.terminal };
}

function flagSentence({ name, status, requestee, setter }: Flag): string {
  const request = status === "?" ? ` requested${requestee ? ` from ${requestee}` : ""}` : "";
  return `${name}${status}${request} by ${setter ?? "-"}`;
}

function groupFacts({ groups, is_creator_accessible, is_cc_accessible }: Bug): Fact[] {
  if (!groups?.length) return [];
  const others = [is_creator_accessible ? "the reporter" : "", is_cc_accessible ? "CC" : ""]
    .filter(Boolean)
    .join(" and ");
  const readers = `seen by members of ${groups.join(" and ")}`;
  return [{ text: others ? `${readers}, and by ${others}` : `${readers} only`, role: "warn" }];
}

function hoursOrNone(count: number | null | undefined, word: string): string {
  return count ? `${hoursText(count)} ${word}` : "";
}

/** Fields of a bug beyond the interface's, labelled and ordered by the tracker's metadata. */
function customRows(bug: Bug, fields: readonly Field[], view: View): CardRow[] {
  const added = fields.filter(isAddedField).map(addedName);
  const place = (name: string) => added.indexOf(name);
  const names = Object.keys(bug).filter((name) => name.startsWith("cf_") || added.includes(name));
  const ordered = names.toSorted((a, b) => place(a) - place(b) || compareTexts(a, b));
  return ordered.map((name) => {
    const { label, kind } = fieldFacts(name, fields);
    const value = (bug as JsonObject)[name];
    return {
      label,
      facts: [{ text: isEmptyValue(value) || isZero(value, kind) ? "" : customText(value, kind, view) }],
    };
  });
}

function isEmptyValue(value: Json | undefined): boolean {
  return value === "---" || exactText(value) === "";
}

/** True for a number that was never set: trackers return it as zero. */
function isZero(value: Json | undefined, kind: FieldKind): boolean {
  return kind === "number" && Number(exactText(value)) === 0;
}

function customText(value: Json | undefined, kind: FieldKind, view: View): string {
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => valueText(exactText(item), kind, view, timeText)).join(", ");
}
