import type { JsonObject } from "../../wire/exchange.ts";
import type { CustomFieldRow } from "../bug-fields/custom-fields.ts";
import type { Store } from "../store/store.ts";
import { textOf, timeOf, wholeOf } from "./received.ts";
import type { Registry } from "./registry.ts";
import type { RowBatch, RowInsert } from "./row-batch.ts";

/** Store and registry for received bugs. `tagger` is the user whose personal tags bugs have. */
export type PutContext = {
  readonly store: Store;
  readonly registry: Registry;
  readonly customFields: readonly CustomFieldRow[];
  readonly tagger?: number | undefined;
};

/** A context whose rows are collected. Of a new bug nothing is stored. */
export type RowContext = PutContext & { readonly rows: RowBatch; readonly isNew: boolean };

/** Flags of a bug, or of one of its attachments. */
export type PutFlags = {
  readonly bugId: number;
  readonly attachmentId: number | null;
  readonly flags: readonly JsonObject[];
};

/** Adds flags to those of the bug or attachment. */
export function putFlags({ rows, registry }: RowContext, { bugId, attachmentId, flags }: PutFlags): void {
  for (const flag of flags.filter(({ status }) => STATUSES.has(textOf(status)))) {
    const requestee = textOf(flag["requestee"]);
    rows.add(FLAG, [
      wholeOf(flag["id"]) || null,
      registry.flagType(flag, attachmentId === null ? "bug" : "attachment"),
      bugId,
      attachmentId,
      textOf(flag["status"]),
      registry.person(textOf(flag["setter"])),
      requestee === "" ? null : registry.person(requestee),
      timeOf(flag["creation_date"]),
      timeOf(flag["modification_date"]),
    ]);
  }
}

const STATUSES: ReadonlySet<string> = new Set(["?", "+", "-"]);

const FLAG: RowInsert = {
  or: "REPLACE",
  table: "flags",
  columns: [
    ...["id", "type_id", "bug_id", "attachment_id", "status"],
    ...["setter_id", "requestee_id", "creation_date", "modification_date"],
  ],
};
