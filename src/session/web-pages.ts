import type { MetadataStore } from "../api/catalog.ts";
import type { FactStore } from "./session.ts";

/** Name of what is remembered of a tracker's pages. */
const WEB_PAGES = "web-pages";

/** The metadata store; with new metadata it is remembered whether the tracker denied having pages. */
export function notingPages(metadata: MetadataStore, memory: FactStore, hasPages: () => boolean): MetadataStore {
  return {
    read: metadata.read,
    write: async (value) => {
      await metadata.write(value);
      if (hasPages() === (await lacksPages(memory))) await memory.write(WEB_PAGES, { exist: hasPages() });
    },
  };
}

/** True if the tracker is remembered to have no pages. */
export async function lacksPages(memory: FactStore): Promise<boolean> {
  return (await memory.read(WEB_PAGES))?.["exist"] === false;
}
