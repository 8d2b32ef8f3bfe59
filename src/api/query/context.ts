import type { Catalog } from "../catalog.ts";
import type { Clock } from "./dates.ts";

/**
 * What words are read against. `nobody` is the login that means "not assigned to anybody", where there is one; `me` the
 * asker's own, for the places where a tracker knows no pronoun.
 */
export type Context = Clock & {
  readonly catalog: Catalog;
  readonly nobody?: string | undefined;
  readonly me?: string | undefined;
};
