import type { ValueTypes } from "./bug-values.ts";

/**
 * Kind of value of a field, which determines how it is compared:
 * - `text` is matched by its characters; `texts` is a list of them
 * - `person` is one login name, `people` several
 * - `choice` is one of the tracker's legal values, `choices` several, `ranked` one of values that have a rank
 * - `number` is one number, `numbers` several; `yes-no` is 1 or 0
 * - `moment` is a date with time, `day` a date
 * - `special` has a meaning of its own and only the operators that are listed for it
 */
export type Family =
  | "text"
  | "texts"
  | "person"
  | "people"
  | "choice"
  | "choices"
  | "ranked"
  | "number"
  | "numbers"
  | "yes-no"
  | "moment"
  | "day"
  | "special";

/** Facts about one bug field that client and tracker share; its name is the one in bug JSON, or the one that `bt` prints. */
export type BugFieldRow = {
  readonly label?: string; // what people read; its name where there is none
  readonly json?: keyof ValueTypes; // what bug JSON holds; absent: bugs do not show it
  readonly isExtra?: true; // only returned on request
  readonly chart?: string; // the internal name in f1=, chfield=, the fields endpoint; absent: the same name
  readonly family?: Family; // absent: no search by it
  readonly order?: true | string; // the column for order=, true for the internal name; absent: no sorting by it
  readonly also?: readonly string[]; // further names that people type
  readonly nameOf?: string; // the person whose real name it is
  readonly isOptional?: true; // of a person: there may be nobody
  readonly parameter?: "useqacontact"; // the server parameter that turns it on
  readonly ofComponent?: { readonly read: string; readonly written: string }; // names in components of the one that new bugs get
  readonly isCopied?: true; // a bug that is filed as a copy of another one has its value
  readonly isDropped?: true; // from a new bug, without an error, if the account or the tracker's settings do not let it be set
  readonly default?: `default${"priority" | "severity" | "platform" | "opsys"}`; // the server parameter that has it
  readonly isPerProduct?: true; // each of its values belongs to a product
};
