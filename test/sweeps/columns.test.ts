import { expect, test } from "vitest";
import { COLUMNS } from "../../src/commands/columns.ts";
import { ATTACHMENT_COLUMNS } from "../../src/view/attachments.ts";
import { HISTORY_COLUMNS, RESULT_COLUMNS } from "../../src/view/change-rows.ts";
import type { Column } from "../../src/view/column.ts";
import { COMMENT_COLUMNS, TAG_COLUMNS } from "../../src/view/comments.ts";
import { FIELD_COLUMNS, VALUE_COLUMNS } from "../../src/view/field-columns.ts";
import { GROUP_COLUMNS, MEMBER_COLUMNS } from "../../src/view/groups.ts";
import { MIRROR_COLUMNS } from "../../src/view/mirrors.ts";
import { PRODUCT_COLUMNS } from "../../src/view/products.ts";
import { SIMILAR_COLUMNS } from "../../src/view/similar.ts";
import { TODO_COLUMNS } from "../../src/view/todo.ts";
import { TREE_COLUMNS } from "../../src/view/tree.ts";
import { USER_COLUMNS } from "../../src/view/users.ts";

type Named = Pick<Column<never>, "name">;

const SHOWN: Readonly<Partial<Record<keyof typeof COLUMNS, readonly Named[]>>> = {
  history: HISTORY_COLUMNS,
  trees: TREE_COLUMNS,
  similar: SIMILAR_COLUMNS,
  fields: FIELD_COLUMNS,
  values: VALUE_COLUMNS,
  comments: COMMENT_COLUMNS,
  attachments: ATTACHMENT_COLUMNS,
  tags: TAG_COLUMNS,
  groups: [...GROUP_COLUMNS, ...MEMBER_COLUMNS],
  products: PRODUCT_COLUMNS,
  users: USER_COLUMNS,
  changes: RESULT_COLUMNS.filter(({ name }) => name !== "old_id" && !name.endsWith("undone")),
  imported: RESULT_COLUMNS.filter(({ name }) => !name.endsWith("undone")),
  mirrors: MIRROR_COLUMNS,
  todo: TODO_COLUMNS,
};

test.each(Object.entries(SHOWN))("the names of %s are those of its columns", (kind, columns) => {
  const names = new Set(columns.map(({ name }) => name));
  expect(COLUMNS[kind as keyof typeof COLUMNS]).toEqual([...names]);
});
