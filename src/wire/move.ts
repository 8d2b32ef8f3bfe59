import type { JsonObject } from "./exchange.ts";
import type { ReceivedBug } from "./mirror.ts";

/** Kinds of things that get new numbers in the data of a tracker. */
export type MovedKind = "bug" | "comment" | "attachment";

/** New ids by old ones. */
export type MovedIds = Readonly<Record<MovedKind, ReadonlyMap<number, number>>>;

/** Creates a bug with the ids of the receiving tracker; `comment` maps the old id of a comment to the new one. */
export type MakeMoved = (comment: (old: number) => number) => ReceivedBug;

/** The data of a tracker that receives bugs of one source. Each function is one transaction. */
export type MoveStore = {
  /** Ids of what is there already. */
  readonly moved: () => MovedIds;
  /** Applies a setup: what is there stays, what is missing is created. */
  readonly setUp: (setup: JsonObject) => void;
  /** Ids for bugs and attachments: the old ones where these are free. */
  readonly reserve: (kind: "bug" | "attachment", old: readonly number[]) => ReadonlyMap<number, number>;
  /** Stores a bug as it is made, unless it is there. */
  readonly put: (bug: number, make: MakeMoved) => void;
  /** Adds comments and attachments to a bug that is there; nothing else of it changes. */
  readonly add: (bug: number, make: MakeMoved) => void;
  /** True if a bug here has comments that were not moved from the source. */
  readonly hasOthers: (bug: number) => boolean;
  /** Marks bugs as duplicates, by their ids here. */
  readonly linkDuplicates: (pairs: readonly (readonly [bug: number, original: number])[]) => void;
  readonly close: () => void;
};
