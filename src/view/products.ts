import { BUG_FIELDS, DEFAULT_ROLES } from "../wire/bug-fields.ts";
import type { TrackerProduct, TrackerProductPart } from "../wire/resources.ts";
import { type CardRow, cardBody, cardTitle } from "./card.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { tableText } from "./listing.ts";
import { yesNoText } from "./text.ts";
import type { View } from "./view.ts";

const column = columnMaker<TrackerProduct>();

export const PRODUCT_COLUMNS: readonly Column<TrackerProduct>[] = [
  column("id", "ID", "number", { optional: 4 }),
  column("name", "Name", "text", { shrink: "never" }),
  column("classification", "Classification", "text", { optional: 3 }),
  column("is_active", "Active", "yes-no", {
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
    optional: 5,
  }),
  column("has_unconfirmed", "Unconfirmed", "yes-no", { optional: 1 }),
  column("default_milestone", "Milestone", "text", { optional: 2 }),
  column("description", "Description", "lines"),
  column("components", "Components", "names", { shrink: "first" }),
  column("versions", "Versions", "names", { shrink: "first" }),
  column("milestones", "Milestones", "names", { shrink: "first" }),
];

export const PART_COLUMNS: ReadonlySet<string> = new Set(["components", "versions", "milestones"]);

/** Names of the parts; inactive parts and the default are marked. */
function partText(parts: readonly TrackerProductPart[] | undefined, defaultName?: string): string {
  return (parts ?? [])
    .map(({ name, is_active }) => {
      const marks = [name === defaultName ? "default" : "", is_active === false ? "inactive" : ""].filter(Boolean);
      return marks.length > 0 ? `${name} (${marks.join(", ")})` : name;
    })
    .join(", ");
}

export function productCard(product: TrackerProduct, view: View): string {
  const title = cardTitle(product.name, product.description ?? "", view);
  const rows: CardRow[] = [
    ["ID", String(product.id ?? "-")],
    ["Classification", product.classification ?? ""],
    ["Active", yesNoText(product.is_active)],
    ["Unconfirmed", ALLOWED[yesNoText(product.has_unconfirmed)] ?? ""],
    ["Versions", partText(product.versions)],
    ["Milestones", partText(product.milestones, product.default_milestone)],
  ];
  const components = product.components ?? [];
  const table = components.length > 0 ? `\n${tableText(components, COMPONENT_COLUMNS, view)}` : "";
  return `${title}\n${cardBody(rows, view)}${table}`;
}

const ALLOWED: Readonly<Record<string, string>> = { yes: "allowed for new bugs", no: "not allowed" };

const partColumn = columnMaker<TrackerProductPart>();

const COMPONENT_COLUMNS: readonly Column<TrackerProductPart>[] = [
  partColumn("name", "Component", "text", {
    shrink: "never",
    paint: ({ is_active }) => (is_active === false ? "quiet" : undefined),
  }),
  ...DEFAULT_ROLES.map(({ field, read, isOptional }) =>
    partColumn(read, BUG_FIELDS[field].label, "text", isOptional ? { optional: 1 } : {}),
  ),
  partColumn("is_active", "Active", "yes-no", { optional: 3 }),
  partColumn("description", "Description", "lines", { optional: 2 }),
];
