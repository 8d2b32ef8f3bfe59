import type { Catalog } from "../catalog.ts";
import type { Clock } from "./dates.ts";

/**
 * What words are read against. `nobody` are the logins that mean "not assigned to anybody", where they are known; `me` the
 * asker's own, for the places where a tracker knows no pronoun.
 */
export type Context = Clock & {
  readonly catalog: Catalog;
  readonly nobody?: readonly string[] | undefined;
  readonly me?: string | undefined;
  readonly isForeignClock?: boolean; // the server's clock shows another zone than this one, and which is not known
};
