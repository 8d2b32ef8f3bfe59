import { BtError } from "../../errors.ts";
import { OPERATORS } from "../../wire/search-names.ts";
import { type CatalogField, requireField } from "../catalog.ts";
import { suggestNames } from "../nearest.ts";
import type { QueryPair } from "../query/chart.ts";
import { rowLogin } from "../query/resolve-change.ts";
import { allOf, anyOf, notOf, type Query, type QueryContext } from "../query/tree.ts";
import { operatorMeaning } from "./operators.ts";

/** Numbered rows without gaps, and their equivalent in the query language if there is one. */
export type DecodedRows = {
  readonly pairs: readonly QueryPair[];
  readonly tree: Query | undefined;
  readonly known: readonly Query[]; // rows that have an equivalent
};

/** True for parameters of custom search rows: `f1`, `o1`, `v1`, `n1`, `j1` or `j_top`. */
export function isRowPart(name: string): boolean {
  return name === "j_top" || ROW_PART.test(name);
}

/**
 * Parses the rows of a custom search. Rows without operator or value are skipped as on the server, since the web form
 * writes such rows.
 * @throws BtError of kind usage for an unknown field or operator, or an unmatched `CP`
 */
export function decodeRows(pairs: readonly QueryPair[], context: QueryContext): DecodedRows {
  const slots = slotsOf(pairs).filter(isComplete).map(righted(context));
  const top = pairs.find(([name]) => name === "j_top")?.[1] ?? "AND";
  const reader: Reader = { slots, context, next: 0, known: [] };
  const parts = readParts(reader);
  if (reader.next < slots.length) throw new BtError("usage", 'unmatched "CP" row: no "OP" row opens the group');
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

/** Equivalent rows that servers evaluate correctly. */
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

/** Parts up to the closing "CP" or the end; an unclosed group ends with the rows. */
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

/** One condition for several parts of the same change; undefined for anything else. */
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
    throw new BtError("usage", `unknown operator "${slot.o}" in the custom search`, {
      hint: suggestNames(slot.o, ALL_OPERATORS),
    });
  }
  return operatorMeaning({ field, operator: slot.o, values: slot.v }, context);
}

/** Field, operator and negation of a row. */
type Compared = { readonly field: string; readonly operator: string; readonly isNegated: boolean };

/**
 * Correct equivalent of a row that servers evaluate wrongly. A negative operator matches only bugs that have an alias,
 * or a flag; emptiness tests of these match all bugs or none. The negated positive row is correct. `field` is a chart
 * name.
 * @throws BtError of kind usage for a row without a correct form
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

/** True if servers evaluate this operator wrongly on this field, given by its chart name. */
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

/** Row that matches if and only if the field is set. */
const OTHER_TEST: Readonly<Record<string, Held>> = {
  alias: { field: "alias", operator: "isnotempty" },
  "flagtypes.name": { field: "setters.login_name", operator: "isnotempty" },
  "attachments.filename": HAS_ATTACHMENT,
  "attachments.description": HAS_ATTACHMENT,
  "attachments.mimetype": HAS_ATTACHMENT,
  comment_tag: { field: "comment_tag", operator: "regexp", value: "." },
};
