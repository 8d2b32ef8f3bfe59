import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";

/** Bugs that get the same update; an empty body leaves them unchanged. */
export type UpdatePart = {
  readonly bugs: readonly Bug[];
  readonly body: JsonObject;
  /** Values that a second update sets once this one is applied, since the status leads there only by way of that in `body`. */
  finish?: JsonObject | undefined;
  /** Parameters that were given but not sent, since the bugs stay unchanged. */
  readonly dropped?: readonly string[];
  /** Known groups of the new product, if the bugs move. */
  readonly target?: ProductGroups | undefined;
  /** Moments (UTC) of custom date-times; the body holds them in the tracker's local time. */
  readonly moments?: Readonly<Record<string, string>> | undefined;
  /** Changes that the update undoes, by bug. */
  readonly notes?: ReadonlyMap<number, UndoNote>;
  /** The commands whose changes the update undoes, by their first jobs. */
  undoes?: string[];
  /** Fields that the update does not undo, by bug. */
  leaves?: LeftFields;
};

/** One part for all bugs whose updates are equal, in the order in which these first occur. */
export function partsByBody(updates: (Omit<UpdatePart, "bugs"> & { bug: Bug })[]): UpdatePart[] {
  const parts = new Map<string, UpdatePart & { bugs: Bug[] }>();
  for (const { bug, ...update } of updates) {
    const key = JSON.stringify([update.body, update.finish]);
    const part = parts.get(key) ?? { ...update, bugs: [] };
    part.bugs.push(bug);
    parts.set(key, part);
  }
  return [...parts.values()];
}

/** Fields that an undo does not take back, by bug. */
export type LeftFields = Record<string, string[]>;

/** The change of a bug that an update undoes, null for none, and the parts of it that it does not. */
export type UndoNote = {
  readonly undone?: { readonly when: string; readonly who: string; readonly job: string } | null;
  readonly not_undone?: readonly { readonly field: string; readonly reason: string }[];
};

/**
 * Groups of a product, inferred from its bugs, since the interface does not return its settings. A group of any bug is
 * allowed; a group of all bugs is probably mandatory.
 * @see Bugzilla/Bug.pm, `_set_product`: groups that the new product lacks are removed, mandatory ones added
 */
export type ProductGroups = {
  readonly product: string;
  readonly allowed: ReadonlySet<string>;
  readonly common: readonly string[];
};
