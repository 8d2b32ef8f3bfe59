import type { FactStore } from "../../api/fact-store.ts";

/** Name of the fact in the cache. */
const WEB_PAGES = "web-pages";

type PageFacts = { memory: FactStore; webAddress: () => string | undefined };

/** Remembers whether the tracker has pages, unless that is known. */
export async function notePages({ memory, webAddress }: PageFacts): Promise<void> {
  const exist = webAddress() !== undefined;
  if (exist === (await lacksPages(memory))) await memory.write(WEB_PAGES, { exist });
}

/** True if the tracker is remembered to have no pages. */
export async function lacksPages(memory: FactStore): Promise<boolean> {
  return (await memory.read(WEB_PAGES))?.["exist"] === false;
}
