import type { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { UpdateOptions } from "../changes/write-flags.ts";

/** What a bug is to get, why nothing is to be done about it, or why it cannot be changed. */
export type Edit =
  | { readonly bug: Bug; readonly body: JsonObject; readonly since?: string | undefined } // not if modified after this moment
  | { readonly bug: Bug; readonly why: string; readonly dropped?: readonly string[] } // parameters that are not sent
  | { readonly ref: string; readonly bug?: Bug; readonly error: BtError };

/** Options of every change: preconditions, confirmation, dry run. */
export type ChangeOptions = UpdateOptions;

/** What became of a bug. */
export type ChangeResult = {
  readonly ref: string; // the id, or the word that names a missing bug
  readonly bug?: Bug | undefined; // as read before the request
  readonly st: "applied" | "would change" | "unchanged" | "refused" | "unknown" | "not tried";
  readonly body?: JsonObject | undefined; // as sent
  readonly changed?: ChangedBug | undefined;
  readonly error?: BtError | undefined;
  readonly why?: string | undefined; // nothing was to be done
  readonly dropped?: readonly string[] | undefined; // parameters that were not sent
  readonly ignored?: readonly string[] | undefined; // parameters that the tracker accepted and did not apply
  readonly overwritten?: readonly string[] | undefined; // lines about newer values of others
};
