import type { FailedOutcome } from "../../../api/delivery/outcome.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { UpdateOptions } from "../flags.ts";

/** What a bug gets, a new bug, why nothing is to be done, or why a bug cannot be changed. */
export type Edit =
  | {
      readonly bug: Bug;
      readonly body: JsonObject;
      readonly next?: JsonObject | undefined; // a second update, of the status
      readonly since?: string | undefined; // not if modified after this moment
    }
  | NewBug
  | { readonly bug: Bug; readonly why: string; readonly dropped?: readonly string[] } // not sent
  | { readonly ref: string; readonly bug?: Bug; readonly error: BtError };

/** A bug to file, named by the line of its row, and the updates that it gets then. */
export type NewBug = {
  readonly line: number;
  readonly create: JsonObject;
  readonly key: string; // of its row
  readonly id?: number | undefined; // filed by an earlier run, which did not complete it
  readonly oldId?: number | undefined; // in the file
  readonly complete?: ((id: number) => readonly JsonObject[]) | undefined;
};

/** Options of every change; `key` is what a rerun finds its job by. */
export type ChangeOptions = UpdateOptions & {
  readonly command?: string;
  readonly key?: string;
  readonly isConfirmed?: boolean; // whatever it changes, as an import
  readonly areNamesChecked?: boolean; // people, groups and bugs that its bodies name
};

/** What became of a bug. */
export type ChangeResult = {
  readonly ref: string; // the id, or the word that names a missing bug
  readonly bug?: Bug | undefined; // as read before the request
  readonly line?: number | undefined; // of a new bug
  readonly oldId?: number | undefined;
  readonly st: "created" | "applied" | "unchanged" | "refused" | "unknown" | "not tried" | "would change";
  readonly body?: JsonObject | undefined; // as sent
  readonly changed?: ChangedBug | undefined;
  readonly error?: BtError | undefined;
  readonly why?: string | undefined; // nothing was to be done
  readonly dropped?: readonly string[] | undefined; // parameters that were not sent
  readonly ignored?: readonly string[] | undefined; // not applied, without an error
  readonly overwritten?: readonly string[] | undefined; // lines about newer values of others
};

/** The result of a bug that was not tried, because of an error, or of Ctrl-C if there is none. */
export function untried<Facts extends { readonly ref: string }>(facts: Facts, error: BtError | undefined) {
  return { ...facts, st: "not tried", error: error ?? INTERRUPTED } as const;
}

const INTERRUPTED = new BtError("partial", "interrupted before it was sent");

/** The result of a failed request; one that never reached the tracker was not tried. */
export function failure({ st, error }: FailedOutcome): Pick<ChangeResult, "st" | "error"> {
  const isUntried = st === "refused" && ["local", "network"].includes(error.kind);
  return { st: isUntried ? "not tried" : st, error };
}
