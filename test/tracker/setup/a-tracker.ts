import { fillLocalTracker } from "../../../src/tracker/open.ts";
import { applyDocument, formatDocument } from "../../../src/tracker/setup/document.ts";
import { describeSetup, type Setup } from "../../../src/tracker/setup/setup.ts";
import { openStore, type Store } from "../../../src/tracker/store/store.ts";

export const RUNTIME = {
  now: () => new Date("2026-11-21T12:00:00Z"),
  random: (bytes: number) => new Uint8Array(bytes).fill(5),
  report: (failure: unknown) => {
    throw failure;
  },
};

/** A new local tracker. */
export type ATracker = {
  readonly store: Store;
  /** Applies a document; returns the changes. */
  readonly apply: (document: string) => readonly string[];
  readonly exported: () => string;
  readonly setup: () => Setup;
};

/** A new local tracker in memory, after documents were applied to it. */
export function aTracker(...documents: readonly string[]): ATracker {
  const store = openStore(":memory:");
  fillLocalTracker(store);
  const apply = (document: string) => applyDocument(store, RUNTIME, document);
  for (const document of documents) apply(document);
  return { store, apply, exported: () => formatDocument(store, "yaml"), setup: () => describeSetup(store) };
}

/** Files a bug of the owner, of which a tracker takes no setup away. */
export function fileBug(store: Store): void {
  store.run(`INSERT INTO bugs (summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
    assigned_to_id, creator_id, creation_time, last_change_time)
    VALUES ('x', 'CONFIRMED', 1, 1, 'unspecified', 'Low', 'normal', 'All', 'All', 1, 1, '2026', '2026')`);
}
