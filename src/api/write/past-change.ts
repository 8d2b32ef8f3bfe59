import type { Json } from "../../wire/exchange.ts";

export type PastChange = {
  readonly bug: number;
  readonly when: string; // ISO 8601, UTC
  before?: string | undefined; // time of the bug's previous change
  readonly who: string | undefined; // undefined if the job does not record its user
  readonly job: string;
  command: string; // its first job
  undoes?: string[] | undefined; // the commands that an undo took back
  isUndo?: boolean; // to undo it is to redo what these changed
  left?: string[] | undefined; // fields that an undo did not take back
  undoneBy?: PastChange | undefined; // by which it was taken back
  readonly fields: readonly PastField[];
  readonly hasComment: boolean;
};

/** A changed field, by the name in bug JSON; lists are joined by commas. */
export type PastField = {
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly before?: Json | undefined; // value as the job read it
  readonly sent?: Json | undefined; // value or edit as the job sent it
  isEdit?: boolean; // only items of the value as it was read were edited
};

/** The unsent rest of a command: a line about each of its jobs with bugs left, and a function that drops them; it returns their names. */
export type UnsentRest = { lines: string[]; drop: () => Promise<string[]> };

/** The last changes of bugs, and lines about comments that were made after them. */
export type LastChanges = {
  changes: ReadonlyMap<number, PastChange>;
  comments: string[];
  bugs?: number[]; // whose last change is not undone, newest first; where no bugs are asked for
};
