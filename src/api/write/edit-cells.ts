import type { Bug } from "../../wire/bug-fields.ts";
import type { EditableField } from "./editable-fields.ts";

/** Bugs in a document to edit, one as lines, several as a table; `notes` are comment lines at its top. */
export type Sheet = {
  readonly bugs: readonly Bug[];
  readonly fields: readonly EditableField[];
  readonly notes: readonly string[];
};

/** A text that was typed for a field of a bug, and its line (from 1). */
export type Cell = {
  readonly bug: number;
  readonly field: EditableField;
  readonly text: string;
  readonly line: number;
};

/** A line (from 1) that cannot be used, and the reason. */
export type Problem = { readonly line: number; readonly message: string };

/** The changed cells of a document, and the lines that cannot be used. */
export type ReadRows = { readonly cells: readonly Cell[]; readonly problems: readonly Problem[] };
