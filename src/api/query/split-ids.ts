import { all, type Condition, isGroup, type Query } from "./tree.ts";

/**
 * A query that names more bugs than fit into one request, as several that name at most `most` each. Their answers do not
 * overlap, and with the numbers going down each answer lies wholly below the one before. Other queries stay as they are.
 */
export function splitIds(query: Query, most: number): readonly Query[] {
  const conjuncts = isGroup(query) && query.kind === "all" ? query.of : [query];
  const list = conjuncts.find(isIdList);
  if (list === undefined || list.values.length <= most) return [query];
  const others = conjuncts.filter((one) => one !== list);
  const falling = [...list.values].sort((one, other) => Number(other) - Number(one));
  const count = Math.ceil(falling.length / most);
  return Array.from({ length: count }, (_, part) =>
    all([{ ...list, values: falling.slice(part * most, (part + 1) * most) }, ...others]),
  );
}

type IdList = Condition & { readonly kind: "test" };

function isIdList(query: Query): query is IdList {
  return query.kind === "test" && query.op === "=" && query.field.chart === "bug_id";
}
