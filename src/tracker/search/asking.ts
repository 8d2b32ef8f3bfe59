import type { Call } from "../call.ts";
import type { Store } from "../store/store.ts";

/** A custom field as a search needs to know it. */
export type CustomField = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
};

/** One search while it is read and compiled: who asks, when, and which custom fields there are. */
export type Asking = Pick<Call, "store" | "requester" | "parameters" | "now"> & {
  readonly custom: ReadonlyMap<string, CustomField>;
  /** Told how many values were read to be compared outside of the engine; see limits.ts. */
  readonly spend: (values: number) => void;
  /** Told of everything in the request that has no effect, see strict.ts. */
  readonly ignore: (parameter: string, why: string) => void;
};

/** The custom fields of a store, obsolete ones too, by name: old bugs are still searched by them. */
export function customFieldsOf(store: Store): ReadonlyMap<string, CustomField> {
  return new Map(
    store.all<CustomField>("SELECT id, name, type FROM fields WHERE is_custom = 1").map((field) => [field.name, field]),
  );
}
