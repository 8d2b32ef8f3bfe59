import { BtError } from "../errors.ts";
import type { Bug } from "../wire/bug.ts";
import type { JsonObject, Request } from "../wire/exchange.ts";
import { type Ask, get } from "./operation.ts";
import { readBugs } from "./read.ts";

/** A search, ready to be asked page by page. */
export type SearchPlan = {
  /** The criteria as query pairs; with a number, only bugs below it. */
  readonly criteria: (below: number | undefined) => Request["query"];
  /** The part of the criteria that the server cannot decide. */
  readonly keep?: ((bug: Bug) => boolean) | undefined;
  readonly include: readonly string[]; // include_fields; the id is always asked for
  readonly order?: string | undefined; // as the server takes it; undefined: newest first, by id
  readonly limit?: number | undefined; // undefined: all
  readonly offset?: number | undefined;
};

/** What is remembered of a tracker between searches: the longest page it ever gave, which proves how much it can give. */
export type PageMemory = {
  readonly longest: () => Promise<number>;
  readonly remember: (longest: number) => Promise<void>;
};

/** How many bugs a request asks for: pages this long cost a server little more than their bugs. */
export const PAGE_SIZE = 1000;

/**
 * Gives every bug of a search exactly once, page by page. A server cuts pages at a maximum that it does not tell, so only
 * a page shorter than one it has already given, or an empty one, is the end. By id, the next page starts below the last
 * bug, so that bugs made or changed meanwhile neither hide nor repeat others; in another order it starts by position.
 */
export async function* searchPages(plan: SearchPlan, ask: Ask, memory: PageMemory): AsyncGenerator<readonly Bug[]> {
  const known = await memory.longest();
  const state: State = {
    longest: known,
    left: plan.limit ?? Number.POSITIVE_INFINITY,
    skipped: plan.offset ?? 0,
    seen: new Set(),
  };
  let coming: Promise<readonly Bug[]> | undefined = state.left > 0 ? askPage(plan, ask, state) : undefined;
  while (coming !== undefined) {
    const answer: readonly Bug[] = await coming;
    const page = take(answer, plan, state);
    coming = isLast(answer, plan, state) ? undefined : askPage(plan, ask, state);
    coming?.catch(() => undefined); // a failure is met at the next turn, after this page was used
    yield page;
  }
  if (state.longest > known) await memory.remember(state.longest);
}

type State = {
  longest: number;
  left: number;
  skipped: number;
  below?: number;
  size?: number;
  readonly seen: Set<number>;
};

async function askPage(plan: SearchPlan, ask: Ask, state: State): Promise<readonly Bug[]> {
  state.size = plan.keep ? PAGE_SIZE : Math.min(PAGE_SIZE, state.left);
  const include = [...new Set(["id", ...plan.include])].join(",");
  const answer = await ask(
    get("/rest/bug", [
      ...plan.criteria(state.below),
      ["include_fields", include],
      ["order", plan.order ?? "bug_id DESC"],
      ["limit", String(state.size)],
      ...(state.skipped > 0 ? [["offset", String(state.skipped)] as const] : []),
    ]),
  );
  return readBugs(answer);
}

/** Moves the state past an answer and gives the bugs of it that are new and wanted. */
function take(answer: readonly Bug[], plan: SearchPlan, state: State): readonly Bug[] {
  const fresh = answer.filter(({ id }) => !state.seen.has(id ?? 0));
  if (plan.order === undefined) stepBelow(answer, state);
  else state.skipped += answer.length;
  for (const { id } of fresh) state.seen.add(id ?? 0);
  const wanted = plan.keep ? fresh.filter(plan.keep) : fresh;
  const page = wanted.slice(0, state.left);
  state.left -= page.length;
  return page;
}

function stepBelow(answer: readonly Bug[], state: State): void {
  const ids = answer.map(({ id }) => id ?? 0);
  const before = state.below;
  if (before !== undefined && ids.some((id) => id >= before)) {
    throw new BtError("reply", `the tracker answered a search for bugs below ${before} with bug ${Math.max(...ids)}`, {
      hint: "it seems to ignore custom search criteria, so its results cannot be trusted",
    });
  }
  if (ids.length > 0) state.below = Math.min(...ids);
  state.skipped = 0;
  state.seen.clear();
}

function isLast(answer: readonly Bug[], plan: SearchPlan, state: State): boolean {
  const proven = answer.length === 0 || (answer.length < (state.size ?? 0) && answer.length < state.longest);
  state.longest = Math.max(state.longest, answer.length);
  return proven || state.left <= 0 || plan.limit === 0;
}

/** The memory of a tracker's pages inside its store of facts. */
export function pageMemory(store: {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
}): PageMemory {
  return {
    longest: async () => {
      const longest = (await store.read("pages"))?.["longest"];
      return typeof longest === "number" && Number.isSafeInteger(longest) ? longest : 0;
    },
    remember: (longest) => store.write("pages", { longest }),
  };
}
