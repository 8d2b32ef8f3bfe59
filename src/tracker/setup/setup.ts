import type { Store } from "../store/store.ts";
import { applyCatalog, type CatalogSetup } from "./catalog.ts";
import { applyFields, type FieldSetup } from "./fields.ts";
import { applyFlagTypes, type FlagTypeSetup } from "./flag-types.ts";
import { applyPeople, type PeopleSetup } from "./people.ts";
import { applyWorkflow, type WorkflowSetup } from "./workflow.ts";

/**
 * A tracker's arrangement as one value: everything but its bugs, named the way people name it. What is there already (by
 * name) is brought to what is said, what is not said stays as it is, and nothing is taken away but moves of statuses whose
 * moves are said.
 */
export type Setup = PeopleSetup &
  CatalogSetup & {
    readonly parameters?: Readonly<Record<string, string>>;
    readonly fields?: readonly FieldSetup[];
    readonly workflow?: WorkflowSetup;
    readonly flag_types?: readonly FlagTypeSetup[];
  };

/** Arranges a tracker, all or nothing. */
export function applySetup(store: Store, setup: Setup): void {
  for (const [name, value] of Object.entries(setup.parameters ?? {})) {
    store.run(
      "INSERT INTO parameters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  }
  applyPeople(store, setup);
  applyFields(store, setup.fields ?? []);
  applyWorkflow(store, setup.workflow ?? {});
  applyCatalog(store, setup);
  applyFlagTypes(store, setup.flag_types ?? []);
}
