import type { Json } from "../../wire/exchange.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Store } from "../store/store.ts";
import { MIRROR_VERSION } from "./schema.ts";

/** The facts of an empty mirror. */
export const NO_FACTS: MirrorFacts = {
  version: MIRROR_VERSION,
  tracker: "",
  login: null,
  products: [],
  attachments: "none",
  publicOnly: false,
  mark: null,
  settled: null,
  wide: null,
  progress: null,
  lastSync: null,
  checked: null,
  audit: null,
  settling: null,
  highestId: 0,
  lowestId: 0,
  longestPage: 0,
  checkedAbove: null,
  groups: null,
  folding: null,
  hasPages: null,
  zone: null,
};

/** The facts of a mirror. */
export function readFacts(store: Store): MirrorFacts {
  const rows = store.all<{ readonly name: string; readonly value: string }>("SELECT name, value FROM mirror_facts");
  return { ...NO_FACTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as Json])) };
}

/** Stores facts of a mirror; other facts are kept. */
export function writeFacts(store: Store, facts: Partial<MirrorFacts>): void {
  for (const [name, value] of Object.entries(facts)) {
    store.run("INSERT OR REPLACE INTO mirror_facts (name, value) VALUES (?, ?)", [name, JSON.stringify(value)]);
  }
}
