import type { JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/field.ts";
import { type Ask, get } from "./operation.ts";
import { readFields } from "./read.ts";

/** Where metadata is kept between runs; what was kept may be missing, old (`age` in milliseconds) or of another shape. */
export type MetadataStore = {
  readonly read: () => Promise<{ readonly age: number; readonly value: JsonObject } | undefined>;
  readonly write: (value: JsonObject) => Promise<void>;
};

/** How long kept metadata is believed, in milliseconds; a value that is not in it is looked up anew anyway. */
const METADATA_AGE = 24 * 60 * 60 * 1000;

/** The fields of a tracker, from the store while they are fresh there, else from the tracker; `kept` tells which. */
export async function trackerFields(
  ask: Ask,
  store: MetadataStore,
  fresh: boolean,
): Promise<{ readonly fields: readonly Field[]; readonly kept: boolean }> {
  const kept = fresh ? undefined : await keptFields(store, METADATA_AGE);
  if (kept) return { fields: kept, kept: true };
  const fields = readFields(await ask(get("/rest/field/bug")));
  await store.write({ fields: fields as unknown as JsonObject[] });
  return { fields, kept: false };
}

/** The fields in the store that are not older than an age; undefined when there are none. */
export async function keptFields(
  store: MetadataStore,
  oldest = Number.POSITIVE_INFINITY,
): Promise<readonly Field[] | undefined> {
  const kept = await store.read();
  if (!kept || kept.age > oldest) return undefined;
  try {
    return readFields(kept.value);
  } catch {
    return undefined;
  }
}
