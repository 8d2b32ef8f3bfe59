import type { Json } from "../wire/exchange.ts";
import type { TrackerProduct, TrackerProductPart } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { yesNoText } from "./text.ts";

/** All columns of a list of products. */
export const PRODUCT_COLUMNS: readonly Column<TrackerProduct>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", gives: "never" },
  { name: "name", heading: "Name", value: ({ name }) => name, gives: "never" },
  { name: "classification", heading: "Classification", value: ({ classification }) => classification },
  {
    name: "is_active",
    heading: "Active",
    value: ({ is_active }) => is_active,
    cell: ({ is_active }) => yesNoText(is_active),
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
  },
  {
    name: "has_unconfirmed",
    heading: "Unconfirmed",
    value: ({ has_unconfirmed }) => has_unconfirmed,
    cell: ({ has_unconfirmed }) => yesNoText(has_unconfirmed),
  },
  { name: "default_milestone", heading: "Milestone", value: ({ default_milestone }) => default_milestone },
  { name: "description", heading: "Description", value: ({ description }) => description, gives: "first" },
  partsColumn("components", "Components"),
  partsColumn("versions", "Versions"),
  partsColumn("milestones", "Milestones"),
];

/** Columns that hold lists of their own. */
export const PRODUCT_PARTS: ReadonlySet<string> = new Set(["components", "versions", "milestones"]);

/** Names of the parts; those closed to new bugs are marked. */
export function partText(parts: readonly TrackerProductPart[] | undefined): string {
  return (parts ?? []).map(({ name, is_active }) => (is_active === false ? `${name} (inactive)` : name)).join(", ");
}

function partsColumn(name: "components" | "versions" | "milestones", heading: string): Column<TrackerProduct> {
  return {
    name,
    heading,
    value: (product) => product[name] as Json | undefined,
    text: (product) => (product[name] ?? []).map((part) => part.name).join(","),
    gives: "first",
  };
}
