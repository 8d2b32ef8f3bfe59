import { BtError } from "../../errors.ts";
import { OPERATORS } from "../../wire/search-names.ts";
import { type CatalogField, requireField } from "../catalog.ts";
import { suggestNames } from "../nearest.ts";
import type { QueryPair } from "../query/chart.ts";
import { rowLogin } from "../query/resolve-change.ts";
import { allOf, anyOf, notOf, type Query, type QueryContext } from "../query/tree.ts";
import { rowMeaning } from "./operators.ts";

/** What numbered rows say: the same rows without gaps, and their meaning where the query language has words for it. */
export type DecodedRows = {
  readonly pairs: readonly QueryPair[];
  readonly tree: Query | undefined;
  readonly known: readonly Query[]; // the rows that there are words for, each by itself
};

/** Whether a parameter belongs to the rows of a custom search: `f1`, `o1`, `v1`, `n1`, `j1` or `j_top`. */
export function isRowPart(name: string): boolean {
  return name === "j_top" || ROW_PART.test(name);
}

/**
 * Reads the rows of a custom search. A row without operator or value is left out, as the server does, since the web form
 * writes such rows; an unknown field, operator or an unmatched `CP` is a usage error.
 */
export function decodeRows(pairs: readonly QueryPair[], context: QueryContext): DecodedRows {
  const slots = slotsOf(pairs).filter(isComplete).map(righted(context));
  const top = pairs.find(([name]) => name === "j_top")?.[1] ?? "AND";
  const reader: Reader = { slots, context, next: 0, known: [] };
  const parts = readParts(reader);
  if (reader.next < slots.length) throw new BtError("usage", 'a row "CP" closes a group that no row "OP" opens');
  return {
    pairs: [...(top === "AND" ? [] : [["j_top", top] as const]), ...slots.flatMap(renumbered(context))],
    tree: joinParts(top, parts),
    known: reader.known,
  };
}

const ROW_PART = /^([fovnj])(\d+)$/;

type Slot = {
  readonly f: string;
  readonly o: string;
  readonly j: string;
  readonly isNegated: boolean;
  readonly v: readonly string[];
};

function slotsOf(pairs: readonly QueryPair[]): readonly Slot[] {
  const found = new Map<number, Map<string, string[]>>();
  for (const [name, value] of pairs) {
    const [, letter = "", number] = ROW_PART.exec(name) ?? [];
    if (number === undefined) continue;
    const slot = found.get(Number(number)) ?? new Map<string, string[]>();
    slot.set(letter, [...(slot.get(letter) ?? []), value]);
    found.set(Number(number), slot);
  }
  return [...found].sort(([one], [other]) => one - other).map(([, slot]) => slotOf(slot));
}

function slotOf(slot: ReadonlyMap<string, readonly string[]>): Slot {
  const first = (letter: string): string => slot.get(letter)?.[0] ?? "";
  return {
    f: first("f"),
    o: first("o"),
    j: first("j") || "AND",
    isNegated: first("n") === "1",
    v: slot.get("v") ?? [],
  };
}

const WITHOUT_VALUE: ReadonlySet<string> = new Set(OPERATORS.empty);

function isComplete(slot: Slot): boolean {
  const { f, o, v } = slot;
  return isBracket(slot) || (f !== "" && o !== "" && (WITHOUT_VALUE.has(o) || v.join("").trim() !== ""));
}

/** The row that means the same and that servers answer rightly. */
function righted(context: QueryContext) {
  return (slot: Slot): Slot => {
    if (isBracket(slot)) return slot;
    const named = requireField(context.catalog, slot.f);
    const { field, operator, isNegated, value } = rightRow({ ...slot, field: named.chart, operator: slot.o });
    const values = slot.v.map((text) => rowLogin(text, { field: named, operator: slot.o }, context));
    return { ...slot, f: field, o: operator, isNegated, v: value === undefined ? values : [value] };
  };
}

function isBracket({ f }: Slot): boolean {
  return f === "OP" || f === "CP";
}

function renumbered(context: QueryContext) {
  return (slot: Slot, index: number): readonly QueryPair[] => {
    const pair = (letter: string, value: string): QueryPair => [`${letter}${index + 1}`, value];
    const negation = slot.isNegated ? [pair("n", "1")] : [];
    if (slot.f === "CP") return [pair("f", "CP")];
    if (slot.f === "OP") return [pair("f", "OP"), pair("j", slot.j), ...negation];
    const { chart } = requireField(context.catalog, slot.f);
    return [pair("f", chart), pair("o", slot.o), ...negation, ...slot.v.map((value) => pair("v", value))];
  };
}

type Reader = {
  readonly slots: readonly Slot[];
  readonly context: QueryContext;
  next: number;
  readonly known: Query[];
};

/** The parts up to the end or the "CP" that closes them; a group that is never closed ends with the rows. */
function readParts(reader: Reader): readonly (Query | undefined)[] {
  const parts: (Query | undefined)[] = [];
  for (;;) {
    const slot = reader.slots[reader.next];
    if (slot === undefined || slot.f === "CP") return parts;
    reader.next++;
    const part = slot.f === "OP" ? readGroup(reader, slot.j) : rowPart(slot, reader);
    parts.push(part !== undefined && slot.isNegated ? notOf(part) : part);
  }
}

function rowPart(slot: Slot, { context, known }: Reader): Query | undefined {
  const part = meaningOf(slot, context);
  if (part !== undefined) known.push(part);
  return part;
}

function readGroup(reader: Reader, joint: string): Query | undefined {
  const parts = readParts(reader);
  reader.next++;
  return joinParts(joint, parts);
}

function joinParts(joint: string, parts: readonly (Query | undefined)[]): Query | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  if (joint === "OR" && known.length > 0) return anyOf(known);
  return joint === "AND_G" ? oneChange(known) : allOf(known);
}

/** Several parts of one and the same change become one condition; nothing else can be said about one row of a history. */
function oneChange(parts: readonly Query[]): Query | undefined {
  if (parts.length < 2) return allOf(parts);
  const changes = parts.filter((part) => part.kind === "change");
  const [first] = changes;
  const keys = changes.flatMap((change) => Object.keys(change).filter((key) => key !== "kind" && key !== "field"));
  const isOne = changes.every(({ field }) => field === first?.field) && new Set(keys).size === keys.length;
  if (first === undefined || changes.length < parts.length || !isOne) return undefined;
  return Object.assign({}, ...changes);
}

const ALL_OPERATORS: readonly string[] = Object.values(OPERATORS).flat();

function meaningOf(slot: Slot, context: QueryContext): Query | undefined {
  const field: CatalogField = requireField(context.catalog, slot.f);
  if (!ALL_OPERATORS.includes(slot.o)) {
    throw new BtError("usage", `"${slot.o}" is not an operator of the custom search`, {
      hint: suggestNames(slot.o, ALL_OPERATORS),
    });
  }
  return rowMeaning({ field, operator: slot.o, values: slot.v }, context);
}

/** The part of a custom search's row that says what is compared. */
type Compared = { readonly field: string; readonly operator: string; readonly isNegated: boolean };

/**
 * What to send for a row that servers answer wrongly. A negative operator finds only bugs that have an alias, or a flag; the
 * test for emptiness of these finds every bug or none. The negated positive row is answered rightly. `field` is a chart name.
 *
 * @throws a usage error for a row that has no right form
 * @see Bugzilla/Search.pm, _alias_nonchanged, _flagtypes_nonchanged and _multiselect_isempty
 */
function rightRow(row: Compared): Compared & { readonly value?: string } {
  const { field, operator, isNegated } = row;
  const positive = HELD_ONLY.has(field) ? POSITIVE[operator] : undefined;
  if (positive !== undefined) return { field, operator: positive, isNegated: !isNegated };
  if (!OPERATORS.empty.some((name) => name === operator)) return row;
  if (field === "longdesc") throw new BtError("usage", "comment is never empty");
  const other = OTHER_TEST[field];
  if (other === undefined) return row;
  return { ...other, isNegated: (operator === "isempty") !== isNegated };
}

/** Whether a server would answer wrongly to this operator on this field, a chart name. */
export function isWrongRow(field: string, operator: string): boolean {
  return rightRow({ field, operator, isNegated: false }).operator !== operator;
}

const HELD_ONLY: ReadonlySet<string> = new Set(["alias", "flagtypes.name"]);

const POSITIVE: Readonly<Record<string, string>> = {
  notequals: "equals",
  notsubstring: "substring",
  notregexp: "regexp",
  nowords: "anywords",
  nowordssubstr: "anywordssubstr",
};

type Held = { readonly field: string; readonly operator: string; readonly value?: string };

const HAS_ATTACHMENT: Held = { field: "attachments.submitter", operator: "isnotempty" };

/** The row that holds if and only if the field is set. */
const OTHER_TEST: Readonly<Record<string, Held>> = {
  alias: { field: "alias", operator: "isnotempty" },
  "flagtypes.name": { field: "setters.login_name", operator: "isnotempty" },
  "attachments.filename": HAS_ATTACHMENT,
  "attachments.description": HAS_ATTACHMENT,
  "attachments.mimetype": HAS_ATTACHMENT,
  comment_tag: { field: "comment_tag", operator: "regexp", value: "." },
};
