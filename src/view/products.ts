import type { Json } from "../wire/exchange.ts";
import type { TrackerProduct, TrackerProductPart } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { yesNoText } from "./text.ts";

/** All columns of a list of products. */
export const PRODUCT_COLUMNS: readonly Column<TrackerProduct>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", shrink: "never", optional: 4 },
  { name: "name", heading: "Name", value: ({ name }) => name, shrink: "never" },
  { name: "classification", heading: "Classification", value: ({ classification }) => classification, optional: 3 },
  {
    name: "is_active",
    heading: "Active",
    value: ({ is_active }) => is_active,
    cell: ({ is_active }) => yesNoText(is_active),
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
    optional: 5,
  },
  {
    name: "has_unconfirmed",
    heading: "Unconfirmed",
    value: ({ has_unconfirmed }) => has_unconfirmed,
    cell: ({ has_unconfirmed }) => yesNoText(has_unconfirmed),
    optional: 1,
  },
  { name: "default_milestone", heading: "Milestone", value: ({ default_milestone }) => default_milestone, optional: 2 },
  { name: "description", heading: "Description", value: ({ description }) => description, shrink: "first" },
  partsColumn("components", "Components"),
  partsColumn("versions", "Versions"),
  partsColumn("milestones", "Milestones"),
];

/** Columns of these products for the terminal: those of their classification and rules only if they differ. */
export function productColumns(products: readonly TrackerProduct[]): Column<TrackerProduct>[] {
  const differ = ({ value }: Column<TrackerProduct>) => new Set(products.map(value)).size > 1;
  return PRODUCT_COLUMNS.filter(
    (column) => !PRODUCT_PARTS.has(column.name) && (!OF_ALL.has(column.name) || differ(column)),
  );
}

/** Columns in which products are often alike. */
const OF_ALL: ReadonlySet<string> = new Set(["classification", "has_unconfirmed", "default_milestone"]);

/** Columns that hold lists of their own. */
export const PRODUCT_PARTS: ReadonlySet<string> = new Set(["components", "versions", "milestones"]);

/** Names of the parts; those closed to new bugs, and the one that new bugs get, are marked. */
export function partText(parts: readonly TrackerProductPart[] | undefined, byDefault?: string): string {
  return (parts ?? [])
    .map(({ name, is_active }) => {
      const marks = [name === byDefault ? "default" : "", is_active === false ? "inactive" : ""].filter(Boolean);
      return marks.length > 0 ? `${name} (${marks.join(", ")})` : name;
    })
    .join(", ");
}

function partsColumn(name: "components" | "versions" | "milestones", heading: string): Column<TrackerProduct> {
  return {
    name,
    heading,
    value: (product) => product[name] as Json | undefined,
    text: (product) => (product[name] ?? []).map((part) => part.name).join(","),
    shrink: "first",
  };
}
