import type { JsonObject } from "../../wire/exchange.ts";
import type { CustomFieldRow } from "../bug-fields/custom-fields.ts";
import type { Store } from "../store/store.ts";
import { numberOf, textOf, timeOf } from "./received.ts";
import type { Registry } from "./registry.ts";

/** Store and registry for received bugs. `tagger` is the user whose personal tags bugs have. Of a new bug nothing is stored. */
export type PutContext = {
  readonly store: Store;
  readonly registry: Registry;
  readonly customFields: readonly CustomFieldRow[];
  readonly tagger?: number | undefined;
  readonly isNew?: boolean;
};

/** Flags of a bug, or of one of its attachments. */
export type PutFlags = {
  readonly bugId: number;
  readonly attachmentId: number | null;
  readonly flags: readonly JsonObject[];
};

/** Stores flags in place of those of the bug or attachment. */
export function putFlags({ store, registry, isNew }: PutContext, { bugId, attachmentId, flags }: PutFlags): void {
  if (!isNew) store.run("DELETE FROM flags WHERE bug_id = ? AND attachment_id IS ?", [bugId, attachmentId]);
  for (const flag of flags.filter(({ status }) => STATUSES.has(textOf(status)))) {
    const requestee = textOf(flag["requestee"]);
    store.run(ADD_FLAG, {
      id: numberOf(flag["id"]) || null,
      type: registry.flagType(flag, attachmentId === null ? "bug" : "attachment"),
      bug: bugId,
      attachment: attachmentId,
      status: textOf(flag["status"]),
      setter: registry.person(textOf(flag["setter"])),
      requestee: requestee === "" ? null : registry.person(requestee),
      created: timeOf(flag["creation_date"]),
      modified: timeOf(flag["modification_date"]),
    });
  }
}

const STATUSES: ReadonlySet<string> = new Set(["?", "+", "-"]);

const ADD_FLAG = `INSERT OR REPLACE INTO flags
  (id, type_id, bug_id, attachment_id, status, setter_id, requestee_id, creation_date, modification_date)
  VALUES (@id, @type, @bug, @attachment, @status, @setter, @requestee, @created, @modified)`;
