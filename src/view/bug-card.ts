import { BUG_FIELD_ROWS, type Bug } from "../wire/bug-fields.ts";
import { bugPage, type JsonObject } from "../wire/exchange.ts";
import { bugJsonName, isAddedField } from "../wire/field-types.ts";
import type { Field, Flag, User } from "../wire/resources.ts";
import { type CardRow, cardBody, cardTitle, type Fact } from "./card.ts";
import { exactText } from "./column.ts";
import { type FieldKind, fieldFacts, valueText } from "./field-kinds.ts";
import { palette, statusRole, urgencyRole } from "./palette.ts";
import { compareTexts, countText, plain } from "./text.ts";
import { hoursText, isPast, relativeTime, timeText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { type Piece, wrap, wrapPieces } from "./wrap.ts";

export type BugCard = {
  readonly bug: Bug;
  readonly fields?: readonly Field[];
  readonly related?: ReadonlyMap<number, Bug>;
};

/** A bug as a card; empty fields are omitted. */
export function bugCard(card: BugCard, view: View): string {
  const names = [...ORDER, ...customNames(card), "web_url"];
  const body = cardBody(
    names.map((name) => cardRow(name, card, view)),
    view,
  );
  const state = dottedFacts(stateFacts(card.bug), view);
  return `${titleLine(card.bug, view)}${state && `${state}\n`}${body && `\n${body}`}`;
}

function titleLine({ id, summary, status, is_open }: Bug, view: View): string {
  return cardTitle(`#${id ?? "?"}`, summary ?? "", view, "title", statusRole(status, is_open));
}

/** Status, priority and severity, if set. */
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
  const { width } = view;
  const pieces = facts.flatMap(({ text, role }) => wrap(plain(text), width).map((line) => ({ text: line, role })));
  return wrapPieces(pieces, width, palette(view), { text: dotIn(view), role: "quiet" }).join("\n");
}

/** A bug on a small screen: the summary, and two lines of facts, three if it has flags. */
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

function dotIn(view: View): string {
  return ` ${viewSigns(view).dot} `;
}

function cardRow(name: string, card: BugCard, view: View): CardRow {
  const { label, kind } = fieldFacts(name, card.fields);
  const facts = CARD_FACTS[name]?.(card, view) ?? fieldText(card.bug, name, kind, view);
  return [LABELS[name] ?? label, facts];
}

const LABELS: Readonly<Record<string, string>> = { groups: "Restricted", estimated_time: "Time", web_url: "Address" };

function fieldText(bug: Bug, name: string, kind: FieldKind, view: View): string {
  const value = (bug as JsonObject)[name] ?? [];
  const items = (Array.isArray(value) ? value : [value]).map((item) => textUnlessNone(exactText(item)));
  if (kind === "person") return nameAndLogin(items.join(", "), bug[`${name}_detail` as keyof Bug] as User | undefined);
  if (kind === "number" && Number(items[0]) === 0) return ""; // trackers return a number that was never set as zero
  return items
    .filter(Boolean)
    .map((item) => valueText(item, kind, view, timeText))
    .join(", ");
}

const ORDER: readonly string[] = [
  ...["groups", "alias", "product", "classification", "version", "target_milestone", "platform", "assigned_to"],
  ...["qa_contact", "creator", "cc", "creation_time", "last_change_time"],
  ...["deadline", "dupe_of", "depends_on", "blocks", "keywords"],
  ...BUG_FIELD_ROWS.flatMap(([name, { json, family }]) =>
    json && family === "text" && !["summary", "url"].includes(name) ? name : [],
  ),
  ...["flags", "url", "see_also", "estimated_time", "tags"],
];

/** Facts of fields that are not shown by their kind alone; undefined: by their kind. */
const CARD_FACTS: Readonly<Record<string, (card: BugCard, view: View) => string | readonly Fact[] | undefined>> = {
  groups: ({ bug }) => groupFacts(bug),
  product: ({ bug: { product, component } }, view) =>
    [product, component].filter(Boolean).join(` ${viewSigns(view).inside} `),
  classification: ({ bug }) => (bug.classification === "Unclassified" ? "" : undefined),
  platform: ({ bug: { platform, op_sys } }) =>
    [...new Set([textUnlessNone(platform), textUnlessNone(op_sys)])].filter(Boolean).join(", "),
  cc: ({ bug }) => ccText(bug),
  deadline: ({ bug }, view) => deadlineFacts(bug, view),
  dupe_of: (card) => relatedFacts([card.bug.dupe_of ?? []].flat(), card) ?? "",
  depends_on: (card) => relatedFacts(card.bug.depends_on ?? [], card),
  blocks: (card) => relatedFacts(card.bug.blocks ?? [], card),
  flags: ({ bug }, view) =>
    (bug.flags ?? []).map((flag) => ({ text: `${flagSentence(flag)} ${relativeTime(flag.modification_date, view)}` })),
  see_also: ({ bug }) => (bug.see_also ?? []).map((text) => ({ text })),
  estimated_time: ({ bug: { estimated_time, actual_time, remaining_time } }, view) =>
    [hoursOrNone(estimated_time, "estimated"), hoursOrNone(actual_time, "worked"), hoursOrNone(remaining_time, "left")]
      .filter(Boolean)
      .join(dotIn(view)),
  web_url: ({ bug }, { web }) => (web === undefined || !bug.id ? "" : bugPage(web, bug.id)),
};

const MAX_CC = 12;

function textUnlessNone(value: string | null | undefined): string {
  return value && value !== "---" ? value : "";
}

function nameAndLogin(login: string, detail: User | null | undefined): string {
  const name = detail?.real_name;
  return name && name !== login ? `${name} <${login || detail.name}>` : login;
}

function ccText({ cc, cc_detail }: Bug): string {
  const people = cc_detail?.map(({ name }) => name) ?? cc ?? [];
  const rest = people.length > MAX_CC ? [`and ${people.length - MAX_CC} more`] : [];
  return [...people.slice(0, MAX_CC), ...rest].join(", ");
}

function deadlineFacts({ deadline: date, is_open }: Bug, view: View): Fact[] {
  if (!date) return [];
  if (!isPast(date, view)) return [{ text: `${date}${dotIn(view)}${relativeTime(`${date}T23:59:59Z`, view)}` }];
  return [is_open ? { text: `${date}${dotIn(view)}overdue`, role: "urgent" } : { text: date }];
}

/** Facts about related bugs; undefined if nothing but their numbers is known. */
function relatedFacts(ids: readonly number[], { related }: BugCard): Fact[] | undefined {
  return ids.some((id) => related?.has(id)) ? ids.map((id) => relatedFact(id, related?.get(id))) : undefined;
}

function relatedFact(id: number, bug: Bug | undefined): Fact {
  const lead = [`#${id}`, bug?.status, bug?.resolution].filter(Boolean).join(" ");
  return { lead, text: bug?.summary ?? "", role: statusRole(bug?.status, bug?.is_open), isOneLine: true };
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

/** Fields of a bug beyond the interface's, in the order of the tracker's metadata. */
function customNames({ bug, fields = [] }: BugCard): string[] {
  const added = fields.filter(isAddedField).map(bugJsonName);
  const names = Object.keys(bug).filter((name) => name.startsWith("cf_") || added.includes(name));
  return names.toSorted((a, b) => added.indexOf(a) - added.indexOf(b) || compareTexts(a, b));
}
