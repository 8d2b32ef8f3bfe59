import type { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { VerbScope } from "./checks.ts";
import type { UpdatePart } from "./update-part.ts";

/** Bugs as read, and those that could not be read, by the words that name them. */
export type BugsToChange = {
  readonly bugs: readonly Bug[];
  readonly unreadable: readonly { readonly ref: string; readonly error: BtError }[];
};

/** A change of bugs: what each of them gets, and the conditions under which it does. */
export type Change = BugsToChange & {
  readonly parts: readonly UpdatePart[];
  readonly meant?: VerbScope; // the statuses that the verb applies to
  isWhole?: boolean; // if bt finds that one of few bugs cannot be changed, none is, as in a document that is edited again
  readonly isConditional?: boolean; // bugs modified since they were read stay as they are
};
