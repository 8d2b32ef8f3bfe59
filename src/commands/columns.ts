/** A column by its name, or the name alone. */
type Named = string | { readonly name: string };

export const KEY_COLUMNS = ["id", "login", "description", "creation_time", "is_revoked"] as const;

export const ALIAS_COLUMNS = ["name", "command"] as const;

/** The columns of a verb's data by kind, loaded on use; empty where each verb has its own. */
const COLUMNS = {
  bugs: async () => (await import("../view/bug-columns.ts")).BUG_COLUMNS,
  history: async () => (await import("../view/change-rows.ts")).HISTORY_COLUMNS,
  trees: async () => (await import("../view/bug-tree.ts")).TREE_COLUMNS,
  similar: async () => (await import("../view/similar.ts")).SIMILAR_COLUMNS,
  fields: async () => (await import("../view/fields.ts")).FIELD_COLUMNS,
  values: async () => (await import("../view/fields.ts")).VALUE_COLUMNS,
  comments: async () => (await import("../view/comments.ts")).COMMENT_COLUMNS,
  attachments: async () => (await import("../view/attachments.ts")).ATTACHMENT_COLUMNS,
  tags: async () => (await import("../view/comments.ts")).TAG_COLUMNS,
  groups: async () => {
    const { GROUP_COLUMNS, MEMBER_COLUMNS } = await import("../view/people.ts");
    return [...GROUP_COLUMNS, ...MEMBER_COLUMNS];
  },
  products: async () => (await import("../view/products.ts")).PRODUCT_COLUMNS,
  users: async () => (await import("../view/people.ts")).USER_COLUMNS,
  changes: async () => (await import("../view/change-rows.ts")).RESULT_COLUMNS,
  settings: async () => [],
  keys: async () => KEY_COLUMNS,
  aliases: async () => ALIAS_COLUMNS,
  jobs: async () => [],
  mirrors: async () => (await import("../view/mirrors.ts")).MIRROR_COLUMNS,
  todo: async () => (await import("../view/todo.ts")).TODO_COLUMNS,
} as const satisfies Readonly<Record<string, () => Promise<readonly Named[]>>>;

/** Kind of a verb's data, which determines the names that `--fields` takes. */
export type OutputKind = keyof typeof COLUMNS;

/** Names that `--fields` takes; [] where each verb has its own. */
export async function columnNames(kind: OutputKind): Promise<readonly string[]> {
  const columns: readonly Named[] = await COLUMNS[kind]();
  return [...new Set(columns.map((column) => (typeof column === "string" ? column : column.name)))];
}
