import type { Bug } from "../wire/bug.ts";
import type { Json } from "../wire/exchange.ts";
import { isObject } from "./read.ts";

/** Bugs without those that stand there a second time, as an answer that was joined from several rows may have them. */
export function distinct(bugs: readonly Bug[]): readonly Bug[] {
  const seen = new Set<number>();
  return bugs.filter(({ id }) => typeof id !== "number" || seen.size < seen.add(id).size);
}

/** What to say of bugs that an answer holds more than once; undefined when there are none. */
export function repeatsIn(answer: Json): string | undefined {
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  const ids = Array.isArray(bugs) ? bugs.flatMap((bug: Json) => (isObject(bug) ? [bug["id"]] : [])) : [];
  const seen = new Set<Json | undefined>();
  const repeated = ids.filter((id) => seen.size === seen.add(id).size);
  return repeated.length > 0 ? `the answer holds bug ${[...new Set(repeated)].join(", ")} more than once` : undefined;
}
