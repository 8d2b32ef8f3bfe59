import type { CatalogField } from "../../api/catalog.ts";
import { leavesOf, type Query } from "../../api/query/tree.ts";

/** What a search does not find though a reader might think so: conditions that trackers compare in a way of their own. */
export function remarksOn(query: Query): readonly string[] {
  return leavesOf(query).flatMap((leaf) => {
    if (leaf.kind !== "change" || !LISTS.has(leaf.field.family)) return [];
    const { to, from } = leaf;
    const value = to ?? from;
    const did = to === undefined ? "took away" : "added";
    return value === undefined
      ? []
      : [`a change of ${leaf.field.api} is only found when it ${did} "${value}" and no other`];
  });
}

/** A row on comments that a server reads otherwise than its operator sounds. */
export function remarksOnRows(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const given = new Map(pairs);
  return pairs.flatMap(([name, value]) => {
    const operator = given.get(name.replace("f", "o")) ?? "";
    return /^f\d/.test(name) && value === "longdesc" && /^no/.test(operator)
      ? [
          `"${operator}" finds bugs with any comment that is not like this; bugs without such a comment: 'not comment ~ "TEXT"'`,
        ]
      : [];
  });
}

/** The terms that are the number of a bug, which a search takes for a word of summaries. */
export function remarksOnTerms(terms: readonly string[]): readonly string[] {
  return terms.flatMap((term) => {
    const [, number] = /^#?([1-9]\d*)$/.exec(term) ?? [];
    return number ? [`"${term}" was looked for in summaries; the bug itself: bt bug get ${number}`] : [];
  });
}

/** What to try when a search has found nothing: conditions that hold less often than a reader might think. */
export function hintsOn(query: Query): readonly string[] {
  return leavesOf(query).flatMap((leaf) => {
    if (leaf.kind !== "test") return [];
    const [value = ""] = leaf.values;
    const isWhole = leaf.op === "=" && isPerson(leaf.field) && !/[@%]/.test(value);
    return isWhole ? [`people go by their whole login; parts of one: '${leaf.field.api} ~ ${value}'`] : [];
  });
}

const LISTS: ReadonlySet<string> = new Set(["people", "choices", "texts", "numbers"]);

function isPerson({ family }: CatalogField): boolean {
  return family === "person" || family === "people";
}
