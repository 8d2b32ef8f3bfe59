import type { JsonObject } from "../../wire/exchange.ts";

/** What is remembered of a tracker between searches: the longest page it gave, which proves how much it can give. */
export type PageMemory = {
  readonly longest: () => Promise<number>;
  readonly remember: (longest: number) => Promise<void>;
};

/** Where facts about a tracker are kept. */
type Store = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** The memory of a tracker's pages inside its store of facts. It counts for a day, since a maximum may be lowered. */
export function pageMemory(store: Store, now: Date): PageMemory {
  return {
    longest: async () => {
      const { longest, seen } = (await store.read("pages")) ?? {};
      const age = now.getTime() - Number(seen);
      return typeof longest === "number" && Number.isSafeInteger(longest) && age >= 0 && age < DAY ? longest : 0;
    },
    remember: (longest) => store.write("pages", { longest, seen: now.getTime() }),
  };
}

const DAY = 24 * 60 * 60 * 1000;
