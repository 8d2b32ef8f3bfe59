import type { JsonObject } from "../wire/exchange.ts";

/** Facts about a tracker, kept between runs. Reads may find nothing, writes may be lost. */
export type FactStore = {
  /** `oldest` is the maximum age (ms). */
  readonly read: (name: string, oldest?: number) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** A store that keeps nothing. */
export const EMPTY_STORE = { read: async () => undefined, write: async () => undefined } satisfies FactStore;
