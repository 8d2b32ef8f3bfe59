import type { Changed } from "./changes.ts";
import type { Column } from "./column.ts";

/** One changed field as a line for programs. */
export type ChangeRow = {
  readonly id: number;
  readonly field: string;
  readonly removed: string | null;
  readonly added: string | null;
};

/** Every changed field, one row each; what did not change has none. */
export function changeRows(changed: readonly Changed[]): readonly ChangeRow[] {
  return changed.flatMap(({ id, changes }) =>
    Object.entries(changes).map(([field, change]) => ({ id, field, ...change })),
  );
}

/** The columns of changes as a list. */
export const CHANGE_COLUMNS: readonly Column<ChangeRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, gives: "never" },
  { name: "field", heading: "Field", value: ({ field }) => field },
  { name: "removed", heading: "Removed", value: ({ removed }) => removed, gives: "first", paint: () => "removed" },
  { name: "added", heading: "Added", value: ({ added }) => added, gives: "first", paint: () => "added" },
];
