import type { Runtime } from "../../../src/tracker/http/call.ts";
import type { Store } from "../../../src/tracker/store/store.ts";
import { createTracker } from "../../../src/tracker/tracker.ts";
import type { Json } from "../../../src/wire/exchange.ts";
import { zebraStore } from "./zebra-store.ts";

/** The parameters of a search: text, or several texts. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Response: ids in their order, or the error's code and sentence. */
export type Found = readonly number[] | { readonly code: number; readonly message: string };

/** Searches a store, as alice unless another is named ("" is nobody), at 2026-11-20T05:58:00Z. */
export type Searcher = (parameters: Parameters, as?: string) => Promise<Found>;

/** A searcher over a store. */
export function searcher(store: Store, more: Partial<Runtime> = {}): Searcher {
  const now = () => new Date("2026-11-20T05:58:00Z");
  const ask = createTracker(store, { now, random: (count) => new Uint8Array(count), ...more });
  return async (parameters, as = "alice") => {
    const query = Object.entries({ include_fields: "id", ...parameters }).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const key: [string, string][] = as === "" ? [] : [["api_key", `{${as}_key}`]];
    const reply = await ask({ method: "GET", path: "/rest/bug", query: [...query, ...key] });
    return read(JSON.parse(reply.body));
  };
}

function read(body: Answer): Found {
  return "error" in body ? { code: body.code, message: body.message } : body.bugs.map(({ id }) => id);
}

type Answer =
  | { readonly error: true; readonly code: number; readonly message: string }
  | { readonly bugs: readonly { readonly id: number; readonly [name: string]: Json }[] };

/** Searches the store of zebra-store.ts. */
export const searchZebras = searcher(zebraStore());
