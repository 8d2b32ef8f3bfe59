import type { JsonObject } from "../../wire/exchange.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Chart } from "../query/chart.ts";
import { allOf, anyOf } from "../query/tree.ts";
import { chartRow } from "./search.ts";

/** The part of a tracker that a mirror has. */
export type MirrorPart = Pick<MirrorFacts, "products" | "publicOnly">;

/** Condition for the bugs of a part. */
export function partChart({ products, publicOnly }: MirrorPart): Chart {
  const ofProducts = products.map((name) => chartRow(["product", "equals", name]));
  return allOf([
    ...(products.length > 0 ? [anyOf(ofProducts)] : []),
    ...(publicOnly ? [chartRow(["bug_group", "isempty", ""])] : []),
  ]);
}

/** Fields that tell whether a bug is in a part. */
export function partFields({ products, publicOnly }: MirrorPart): readonly string[] {
  return [...(products.length > 0 ? ["product"] : []), ...(publicOnly ? ["groups"] : [])];
}

/** True for a bug of a part, received with its fields. */
export function isInPart({ product, groups }: JsonObject, { products, publicOnly }: MirrorPart): boolean {
  if (products.length > 0 && !products.includes(String(product))) return false;
  return !publicOnly || [groups ?? []].flat().length === 0;
}
