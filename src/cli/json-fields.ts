import { FIELD_SELECTORS } from "../api/field-selection.ts";
import { verbPlace } from "../commands/completion/line.ts";
import type { CommandTree, OutputKind } from "../commands/verb.ts";
import { usage } from "../errors.ts";
import type { Column } from "../view/column.ts";
import { fieldNamed } from "../wire/search-names.ts";

/**
 * Replaces `--json=id,summary` by the switch and the fields. `--json` takes no separate value, so a following word that
 * consists of field names is rejected: it would become a search term. `takesValue` is true for flags whose value is the
 * next word.
 * @throws BtError of kind usage with both ways to write it
 */
export async function withJsonFields(
  words: readonly string[],
  tree: CommandTree,
  takesValue: (flag: string) => boolean,
): Promise<readonly string[]> {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const isFlag = (at: number) => at < end && !takesValue(words[at - 1] ?? "");
  const next = words.find((_, at) => words[at - 1] === "--json" && isFlag(at - 1) && at < end);
  if (next !== undefined) await checkNext(next, words, tree);
  return words.flatMap((word, at) => {
    const chosen = isFlag(at) ? /^--json=(.*)$/s.exec(word)?.[1] : undefined;
    return chosen === undefined ? [word] : ["--json", `--fields=${chosen}`];
  });
}

async function checkNext(next: string, words: readonly string[], tree: CommandTree): Promise<void> {
  const output = verbPlace(words, tree).verb?.output;
  if (output === undefined || !/^[\w, ]+$/.test(next)) return;
  const isField = await fieldTest(output);
  if (!next.split(",").every((name) => isField(name.trim()))) return;
  throw usage(
    `--json takes no separate value, but is followed by ${JSON.stringify(next)}`,
    `use --json=${next} to select fields; put other arguments before --json`,
  );
}

type Named = Pick<Column<never>, "name">;

async function fieldTest(output: OutputKind): Promise<(name: string) => boolean> {
  const columns = (await COLUMNS[output]?.()) ?? [];
  const names = new Set(columns.map(({ name }) => name));
  const isOfBugs = (name: string) => name.startsWith("cf_") || names.has(fieldNamed(name)?.api ?? "");
  return (name) => names.has(name) || (output === "bugs" && isOfBugs(name));
}

/** Columns that name the fields of an output, for commands with positional words. */
const COLUMNS: Readonly<Partial<Record<OutputKind, () => Promise<readonly Named[]>>>> = {
  bugs: async () =>
    [...(await import("../view/bug-columns.ts")).BUG_COLUMNS, ...FIELD_SELECTORS].map((name) => ({ name })),
  history: async () => {
    const [{ HISTORY_COLUMNS }, { DURATION_COLUMNS }] = await Promise.all([
      import("../view/change-rows.ts"),
      import("../view/durations.ts"),
    ]);
    return [...HISTORY_COLUMNS, ...DURATION_COLUMNS];
  },
  blame: async () => (await import("../view/blame.ts")).BLAME_COLUMNS,
  trees: async () => (await import("../view/tree.ts")).TREE_COLUMNS,
  similar: async () => (await import("../view/similar.ts")).SIMILAR_COLUMNS,
  hours: async () => (await import("../view/hours-report.ts")).HOURS_COLUMNS,
  flow: async () => {
    const { FLOW_COLUMNS, AGE_COLUMNS } = await import("../view/flow-report.ts");
    return [...FLOW_COLUMNS, ...AGE_COLUMNS];
  },
  plan: async () => (await import("../view/move-rows.ts")).PLAN_COLUMNS,
  moves: async () => (await import("../view/move-rows.ts")).MOVED_COLUMNS,
  fields: async () => (await import("../view/field-columns.ts")).FIELD_COLUMNS,
  values: async () => (await import("../view/field-columns.ts")).VALUE_COLUMNS,
  comments: async () => (await import("../view/comments.ts")).COMMENT_COLUMNS,
  attachments: async () => (await import("../view/attachments.ts")).ATTACHMENT_COLUMNS,
  tags: async () => (await import("../view/comments.ts")).TAG_COLUMNS,
  groups: async () => {
    const { GROUP_COLUMNS, MEMBER_COLUMNS } = await import("../view/groups.ts");
    return [...GROUP_COLUMNS, ...MEMBER_COLUMNS];
  },
  products: async () => (await import("../view/products.ts")).PRODUCT_COLUMNS,
  mirrors: async () => (await import("../view/mirrors.ts")).MIRROR_COLUMNS,
  doctor: async () => (await import("../view/doctor.ts")).DOCTOR_COLUMNS,
  todo: async () => (await import("../view/todo.ts")).TODO_COLUMNS,
  users: async () => (await import("../view/users.ts")).USER_COLUMNS,
  changes: async () => {
    const [{ CHANGE_COLUMNS }, { RESULT_COLUMNS }] = await Promise.all([
      import("../view/change-rows.ts"),
      import("../view/change-rows.ts"),
    ]);
    return [...CHANGE_COLUMNS, ...RESULT_COLUMNS];
  },
};
