import { BUG_FIELDS, type Bug, DEPENDENCY_FIELDS, type DependencyField } from "../wire/bug-fields.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { palette, statusRole } from "./palette.ts";
import { plain } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, painted, width } from "./wrap.ts";

/** The bugs of a tree by id, undefined if not found, and the levels that were read (`depth`). */
export type TreeReach = {
  readonly bugs: ReadonlyMap<number, Bug | undefined>;
  readonly depth: number;
  readonly isMirror: boolean; // bugs are read from one
  readonly isWanted: (bug: Bug) => boolean;
};

/** A bug of a tree; at the top, `depth` is 0, `relation` and `parent` are null. */
export type TreeRow = {
  readonly root: number;
  readonly relation: DependencyField | null;
  readonly depth: number;
  readonly parent: number | null;
  readonly id: number;
  readonly bug: Bug | undefined;
  readonly mark: "cycle" | "repeated" | "not visible" | "not in the mirror" | null;
  readonly beyond: number; // its dependencies below the levels that were read
  readonly lasts: readonly boolean[]; // for each level to this row: whether it is the last one below its parent
};

/** A bug, the bugs that it depends on, and the bugs that it blocks; each bug is expanded once. */
export function treeRows(bug: Bug, reach: TreeReach): TreeRow[] {
  const { id } = bug;
  const top = { root: id, relation: null, depth: 0, parent: null, id, bug, mark: null, beyond: 0, lasts: [] };
  return [top, ...DEPENDENCY_FIELDS.flatMap((relation) => rowsBelow(top, [id], { reach, relation, met: new Set() }))];
}

type Walk = { reach: TreeReach; relation: DependencyField; met: Set<number> };

/** Rows of the bugs below `parent`; `path` are the bugs from the top to it. */
function rowsBelow(parent: TreeRow, path: readonly number[], walk: Walk): TreeRow[] {
  const { reach, relation, met } = walk;
  const isShown = (id: number) => {
    const bug = reach.bugs.get(id);
    return bug === undefined || path.includes(id) || reach.isWanted(bug);
  };
  const ids = (parent.bug?.[relation] ?? []).filter(isShown);
  return ids.flatMap((id, at) => {
    const mark = markOf(id, path, walk);
    met.add(id);
    const bug = reach.bugs.get(id);
    const isDeepest = path.length >= reach.depth;
    const beyond = mark === null && isDeepest ? (bug?.[relation]?.length ?? 0) : 0;
    const lasts = [...parent.lasts, at === ids.length - 1];
    const { root } = parent;
    const row: TreeRow = { root, relation, depth: path.length, parent: parent.id, id, bug, mark, beyond, lasts };
    return [row, ...(mark === null && !isDeepest ? rowsBelow(row, [...path, id], walk) : [])];
  });
}

function markOf(id: number, path: readonly number[], { reach, met }: Walk): TreeRow["mark"] {
  if (path.includes(id)) return "cycle";
  if (reach.bugs.get(id) === undefined) return reach.isMirror ? "not in the mirror" : "not visible";
  return met.has(id) ? "repeated" : null;
}

const BUG_COLUMNS = ["status", "resolution", "priority", "severity", "assigned_to", "deadline", "summary"] as const;

export const TREE_FIELDS: readonly string[] = ["id", "is_open", ...BUG_COLUMNS, ...DEPENDENCY_FIELDS];

const column = columnMaker<TreeRow>();

export const TREE_COLUMNS: readonly Column<TreeRow>[] = [
  column("root", "Root", "bug"),
  column("relation", "Relation", "text", { shrink: "never" }),
  column("depth", "Depth", "number"),
  column("parent", "Parent"),
  column("id", "ID", "bug"),
  column("mark", "Mark"),
  ...BUG_COLUMNS.map((name): Column<TreeRow> => {
    return { name, heading: BUG_FIELDS[name].label, value: ({ bug }) => bug?.[name], shrink: "first" };
  }),
];

/** A tree drawn with lines. */
export function treeText([top, ...rows]: readonly TreeRow[], view: View): string {
  const { quiet } = palette(view);
  const lines = top ? [rowLine(top, view)] : [];
  let shown: TreeRow["relation"] = null;
  for (const row of rows) {
    if (row.relation && row.relation !== shown) lines.push(quiet(row.relation.replace("_", " ")));
    shown = row.relation;
    lines.push(rowLine(row, view));
  }
  const hasBugs = DEPENDENCY_FIELDS.some((relation) => (top?.bug?.[relation] ?? []).length > 0);
  if (rows.length === 0) lines.push(quiet(hasBugs ? "no open bugs" : "no dependencies"));
  return `${lines.join("\n")}\n`;
}

/** `│  └─ #12 NEW  Summary (cycle)`, with the summary cut to the width of the view. */
function rowLine({ id, bug, mark, beyond, lasts }: TreeRow, view: View): string {
  const paints = palette(view);
  const { branch, lastBranch, trunk } = viewSigns(view);
  const trunks = lasts.slice(0, -1).map((isLast) => `${isLast ? " " : trunk}  `);
  const lead = lasts.length === 0 ? "" : `${trunks.join("")}${lasts.at(-1) ? lastBranch : branch} `;
  const status = plain([bug?.status, bug?.resolution].filter(Boolean).join(" "));
  const remark = beyond > 0 ? `${beyond} more below` : mark;
  const note = remark ? ` (${remark})` : "";
  const used = width(`${lead}#${id}${status && ` ${status}`}  ${note}`);
  const summary = cut(plain(bug?.summary ?? ""), Math.max(MIN_SUMMARY, view.width - used), view);
  const state = status && ` ${painted({ text: status, role: statusRole(bug?.status, bug?.is_open) }, paints)}`;
  return `${paints.quiet(lead)}${paints.title(`#${id}`)}${state}${summary && `  ${summary}`}${paints.quiet(note)}`;
}

const MIN_SUMMARY = 10;
