import type { Catalog } from "../catalog.ts";
import type { Clock } from "./dates.ts";

/** What words are read against. `nobody` is the login that means "not assigned to anybody", where there is one. */
export type Context = Clock & { readonly catalog: Catalog; readonly nobody?: string | undefined };
