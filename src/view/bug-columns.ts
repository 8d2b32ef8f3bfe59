import { type Bug, SHOWN_BUG_FIELDS, type ShownField, WEB_URL } from "../wire/bug-fields.ts";
import { bugPage, type Json } from "../wire/exchange.ts";
import { bugJsonName, isAddedField } from "../wire/field-types.ts";
import type { Field } from "../wire/resources.ts";
import { type Column, columnsNamed } from "./column.ts";
import { columnMaker, fieldFacts, type Look, lookOf } from "./field-kinds.ts";
import { statusRole, urgencyRole } from "./palette.ts";
import { type Format, type View, viewSigns } from "./view.ts";

/** A column of a bug list; `needs` names the wire fields it uses. */
export type BugColumn = Column<Bug> & { readonly needs: readonly string[] };

/** Column of a field, standard or custom; undefined if unknown. */
export function findBugColumn(
  name: string,
  fields: readonly Field[] = [],
  { web }: Pick<View, "web"> = {},
): BugColumn | undefined {
  const isAdded =
    fields.length === 0
      ? name.startsWith("cf_")
      : fields.some((field) => bugJsonName(field) === name && isAddedField(field));
  if (name === WEB_URL)
    return { name, heading: "Address", needs: ["id"], value: ({ id }) => (web ? bugPage(web, id) : null) };
  return isAdded || SHOWN_BUG_FIELDS.includes(name) ? fieldColumn(name, fields) : undefined;
}

/** A column of bugs for rows that contain a bug and other data. */
export function columnWithBug({ needs: _, value, text, cell, paint, ...look }: BugColumn): Column<WithBug> {
  const ofBug = <Rest extends unknown[], Result>(use: (bug: Bug, ...rest: Rest) => Result) => {
    return ({ bug }: WithBug, ...rest: Rest) => use(bug, ...rest);
  };
  return {
    ...look,
    value: ofBug(value),
    ...(text && { text: ofBug(text) }),
    ...(cell && { cell: ofBug(cell) }),
    ...(paint && { paint: ofBug(paint) }),
  };
}

/** The column of a field, for rows with a bug. */
export function columnOfBug(name: string): Column<WithBug> {
  return columnWithBug(findBugColumn(name) as BugColumn);
}

type WithBug = { bug: Bug };

/** Default columns of a bug list: of a table on a terminal those that fit, else all. */
export function defaultBugColumns(format: Format, view: View): readonly BugColumn[] {
  if (format !== "table" || !view.terminal) return LIST_FIELDS.map((name) => fieldColumn(name));
  const shown = LIST_COLUMNS.filter(({ from }) => from !== undefined && view.width >= from);
  return shown.map(({ name }) => (name === "status" ? stateColumn() : fieldColumn(name)));
}

export function neededFields(columns: readonly BugColumn[]): string[] {
  return [...new Set(columns.flatMap(({ needs }) => needs))];
}

/**
 * Columns of a list, and the width of a terminal from which they are shown; without one, in data
 * alone. The summary is last: it is the longest, needs no padding, and takes the remaining width.
 */
const LIST_COLUMNS: readonly { readonly name: ShownField; readonly from?: number }[] = [
  { name: "id", from: 0 },
  { name: "status", from: 0 }, // with the resolution
  { name: "resolution" },
  { name: "priority", from: 80 },
  { name: "severity", from: 120 },
  { name: "product", from: 160 },
  { name: "component", from: 120 },
  { name: "assigned_to", from: 72 },
  { name: "last_change_time", from: 48 },
  { name: "summary", from: 0 },
];

/** Fields of a list of bugs as data. */
export const LIST_FIELDS: readonly ShownField[] = LIST_COLUMNS.map(({ name }) => name);

const WIDE = 120; // minimum width for a status beside its resolution

function fieldColumn(name: string, fields: readonly Field[] = []): BugColumn {
  const { label, kind } = fieldFacts(name, fields);
  const value = (bug: Bug) => bug[name as keyof Bug] as Json | undefined;
  const needs = [name.replace(/_detail$/, "")]; // user details only come along with the login
  return { name, heading: label, needs, value, ...lookOf(kind, value), ...LOOKS[name] };
}

/**
 * Column of the status with the resolution, which an open bug has not; on narrow terminals the
 * resolution of closed bugs alone.
 */
export function stateColumn(): BugColumn {
  return {
    ...fieldColumn("status"),
    needs: ["status", "resolution"],
    cell: ({ status, resolution }, view) =>
      view.width < WIDE ? resolution || status || "" : [status, resolution].filter(Boolean).join(" "),
  };
}

const roleOfBug = ({ status, is_open }: Bug) => statusRole(status, is_open);

const LOOKS: Readonly<Record<string, Look<Bug>>> = {
  id: { shrink: "never", paint: roleOfBug },
  status: { paint: roleOfBug },
  resolution: { paint: roleOfBug, unset: "---" }, // as Bugzilla shows it
  priority: { paint: ({ priority }) => urgencyRole(priority) },
  severity: { paint: ({ severity }) => urgencyRole(severity) },
  product: { shrink: "first" },
  component: { shrink: "first" },
  summary: { shrink: "last" },
};

/** A similar bug, and the words that it shares, rarest first. */
export type SimilarRow = {
  readonly bug: Bug;
  readonly score: number; // 0 to 1
  readonly words: readonly string[];
  readonly isSameComponent: boolean;
};

const column = columnMaker<SimilarRow>();

const OWN: readonly Column<SimilarRow>[] = [
  { ...columnOfBug("id"), shrink: "never" },
  column("score", "Match", "number", { cell: ({ score }) => `${Math.round(score * 100)} %` }),
  { ...column("words", "Shared words"), name: "shared_words" },
  { ...column("isSameComponent", "Same component"), name: "same_component" },
  {
    name: "reason",
    heading: "Reason",
    value: (row) => reasonsFor(row).join("; "),
    cell: (row, view) => reasonsFor(row).join(` ${viewSigns(view).dot} `),
  },
];

const BUG_NAMES = ["status", "resolution", "is_open", "product", "component", "dupe_of", "creation_time", "summary"];

export const SIMILAR_COLUMNS: readonly Column<SimilarRow>[] = [...OWN, ...BUG_NAMES.map(columnOfBug)];

const USUAL_NAMES = ["id", "score", "status", "resolution", "reason", "summary"];

/** Columns that are printed if none are chosen, except in JSON, which has all. */
export const SIMILAR_USUAL_COLUMNS = columnsNamed(SIMILAR_COLUMNS, ...USUAL_NAMES);

export const SIMILAR_TABLE_COLUMNS: readonly Column<SimilarRow>[] = [
  ...columnsNamed(SIMILAR_COLUMNS, "id", "score"),
  { ...columnWithBug(stateColumn()), optional: 1 },
  ...columnsNamed(SIMILAR_COLUMNS, "reason", "summary"),
];

/** Reason why a bug is similar, such as `import, csv`, `same component`, `duplicate of #7`. */
function reasonsFor({ bug, words, isSameComponent }: SimilarRow): string[] {
  const reasons = [words.slice(0, MAX_WORDS).join(", ")];
  if (isSameComponent) reasons.push("same component");
  if (bug.dupe_of) reasons.push(`duplicate of #${bug.dupe_of}`);
  return reasons;
}

const MAX_WORDS = 4;
