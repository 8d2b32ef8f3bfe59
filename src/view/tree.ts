import { BUG_FIELDS, type Bug, DEPENDENCY_FIELDS, type DependencyField } from "../wire/bug-fields.ts";
import type { Column } from "./column.ts";
import { palette, statusRole } from "./palette.ts";
import { plain } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, width } from "./wrap.ts";

/** Bugs around one by id; an id without a bug was not found. `depth` are the levels that were read. */
export type TreeReach = {
  readonly bugs: ReadonlyMap<number, Bug | undefined>;
  readonly depth: number;
  readonly isMirror: boolean; // bugs are read from one
  readonly isWanted: (bug: Bug) => boolean;
};

/** A bug of a tree; `beyond` counts its dependencies below the levels that were read. */
export type TreeNode = {
  readonly id: number;
  readonly bug: Bug | undefined;
  readonly mark: "cycle" | "repeated" | "not visible" | "not in the mirror" | null;
  readonly beyond: number;
  readonly children: readonly TreeNode[];
};

/** A bug, and the trees of those it depends on and of those it blocks. */
export type BugTree = { readonly bug: Bug } & Readonly<Record<DependencyField, readonly TreeNode[]>>;

/** The trees of a bug: a bug has its children where it is first met, and one that is above itself is a cycle. */
export function bugTree(bug: Bug, reach: TreeReach): BugTree {
  const nodes = (relation: DependencyField) => nodesBehind(bug, [bug.id], { reach, relation, met: new Set<number>() });
  return { bug, depends_on: nodes("depends_on"), blocks: nodes("blocks") };
}

type Walk = {
  reach: TreeReach;
  relation: DependencyField;
  met: Set<number>;
};

/** Nodes of the bugs behind one; `path` are the bugs from the top to it. */
function nodesBehind(from: Bug, path: number[], walk: Walk): TreeNode[] {
  const { bugs, isWanted } = walk.reach;
  return (from[walk.relation] ?? [])
    .map((id) => [id, bugs.get(id)] as const)
    .filter(([id, bug]) => bug === undefined || path.includes(id) || isWanted(bug))
    .map((named) => treeNode(named, path, walk));
}

type NamedBug = readonly [id: number, bug: Bug | undefined];

function treeNode([id, bug]: NamedBug, path: number[], walk: Walk): TreeNode {
  const { reach, relation, met } = walk;
  const node = { id, bug, mark: null, beyond: 0, children: [] };
  if (path.includes(id)) return { ...node, mark: "cycle" };
  if (bug === undefined) return { ...node, mark: reach.isMirror ? "not in the mirror" : "not visible" };
  if (met.has(id)) return { ...node, mark: "repeated" };
  met.add(id);
  if (path.length >= reach.depth) return { ...node, beyond: bug[relation]?.length ?? 0 };
  return { ...node, children: nodesBehind(bug, [...path, id], walk) };
}

/** A bug of a tree as a row for programs; at the top, `depth` is 0, `relation` and `parent` are null. */
export type TreeRow = {
  readonly id: number;
  readonly bug: Bug | undefined;
  readonly mark: TreeNode["mark"];
  readonly root: number;
  readonly relation: DependencyField | null;
  readonly depth: number;
  readonly parent: number | null;
};

/** The bugs of a tree as rows, each below its parent. */
export function treeRows(tree: BugTree): readonly TreeRow[] {
  const root = tree.bug.id;
  const below = (
    nodes: readonly TreeNode[],
    at: { relation: DependencyField; depth: number; parent: number },
  ): readonly TreeRow[] =>
    nodes.flatMap(({ id, bug, mark, children }) => [
      { root, ...at, id, mark, bug },
      ...below(children, { ...at, depth: at.depth + 1, parent: id }),
    ]);
  const top = { root, relation: null, depth: 0, parent: null, id: root, mark: null, bug: tree.bug };
  return [top, ...DEPENDENCY_FIELDS.flatMap((relation) => below(tree[relation], { relation, depth: 1, parent: root }))];
}

const BUG_COLUMNS = ["status", "resolution", "priority", "severity", "assigned_to", "deadline", "summary"] as const;

/** Fields that the bugs of a tree need. */
export const TREE_FIELDS: readonly string[] = ["id", "is_open", ...BUG_COLUMNS, ...DEPENDENCY_FIELDS];

/** Columns of a tree as a list. */
export const TREE_COLUMNS: readonly Column<TreeRow>[] = [
  { name: "root", heading: "Root", value: ({ root }) => root, cell: ({ root }) => `#${root}`, shrink: "never" },
  { name: "relation", heading: "Relation", value: ({ relation }) => relation, shrink: "never" },
  { name: "depth", heading: "Depth", value: ({ depth }) => depth, align: "right" },
  { name: "parent", heading: "Parent", value: ({ parent }) => parent },
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, shrink: "never" },
  { name: "mark", heading: "Mark", value: ({ mark }) => mark },
  ...BUG_COLUMNS.map(
    (name): Column<TreeRow> => ({
      name,
      heading: BUG_FIELDS[name].label,
      value: ({ bug }) => bug?.[name],
      shrink: "first",
    }),
  ),
];

/** The trees of a bug, drawn with lines; texts are cut to the width of a terminal. */
export function treeText(tree: BugTree, view: View): string {
  const { quiet } = palette(view);
  const lines = [nodeLine("", { id: tree.bug.id, bug: tree.bug, mark: null, beyond: 0 }, view)];
  for (const relation of DEPENDENCY_FIELDS) {
    const nodes = tree[relation];
    if (nodes.length > 0) lines.push(quiet(TITLES[relation]), ...branches(nodes, "", view));
  }
  const hasBugs = DEPENDENCY_FIELDS.some((relation) => (tree.bug[relation] ?? []).length > 0);
  if (lines.length === 1) lines.push(quiet(hasBugs ? "no open bugs" : "no dependencies"));
  return `${lines.join("\n")}\n`;
}

const TITLES: Readonly<Record<DependencyField, string>> = { depends_on: "depends on", blocks: "blocks" };

function branches(nodes: readonly TreeNode[], indent: string, view: View): string[] {
  const { branch, lastBranch, trunk } = viewSigns(view);
  return nodes.flatMap((node, at) => {
    const isLast = at === nodes.length - 1;
    return [
      nodeLine(`${indent}${isLast ? lastBranch : branch} `, node, view),
      ...branches(node.children, `${indent}${isLast ? " " : trunk}  `, view),
    ];
  });
}

function nodeLine(lead: string, { id, bug, mark, beyond }: Omit<TreeNode, "children">, view: View): string {
  const paints = palette(view);
  const status = plain([bug?.status, bug?.resolution].filter(Boolean).join(" "));
  const role = statusRole(bug?.status, bug?.is_open);
  const remark = beyond > 0 ? `${beyond} more below` : mark;
  const note = remark ? ` (${remark})` : "";
  const used = [lead, `#${id}`, status && ` ${status}`, "  ", note].map(width).reduce((sum, one) => sum + one, 0);
  const room = view.terminal ? Math.max(MIN_SUMMARY, view.width - used) : Number.POSITIVE_INFINITY;
  const summary = cut(plain(bug?.summary ?? ""), room, viewSigns(view).ellipsis);
  const state = status && ` ${role ? paints[role](status) : status}`;
  return `${paints.quiet(lead)}${paints.title(`#${id}`)}${state}${summary && `  ${summary}`}${paints.quiet(note)}`;
}

const MIN_SUMMARY = 10;
