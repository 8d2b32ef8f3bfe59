import { DEFAULT_PEOPLE } from "../wire/default-people.ts";
import type { TrackerProduct, TrackerProductPart } from "../wire/resources.ts";
import { cardRows, cardTitle } from "./card.ts";
import type { Column } from "./column.ts";
import { listing, listText } from "./listing.ts";
import { partText } from "./products.ts";
import { plain, yesNoText } from "./text.ts";
import type { View } from "./view.ts";

/** A product as a card: its properties, versions and milestones, and a table of its components. */
export function productCard(product: TrackerProduct, view: View): string {
  const title = cardTitle({ text: plain(product.name) }, { text: plain(product.description ?? "") }, view);
  const rows = cardRows(
    [
      { label: "ID", facts: [{ text: String(product.id) }] },
      { label: "Classification", facts: [{ text: product.classification ?? "" }] },
      { label: "Active", facts: [{ text: yesNoText(product.is_active) }] },
      { label: "Unconfirmed", facts: [{ text: ALLOWED[yesNoText(product.has_unconfirmed)] ?? "" }] },
      { label: "Versions", facts: [{ text: partText(product.versions) }] },
      { label: "Milestones", facts: [{ text: partText(product.milestones, product.default_milestone) }] },
    ],
    view,
  );
  const components = product.components ?? [];
  const table = components.length > 0 ? `\n${listText(components, listing("table", COMPONENT_COLUMNS, view))}` : "";
  return `${title}\n${rows}${table}`;
}

const ALLOWED: Readonly<Record<string, string>> = { yes: "allowed for new bugs", no: "not allowed" };

const COMPONENT_COLUMNS: readonly Column<TrackerProductPart>[] = [
  {
    name: "name",
    heading: "Component",
    value: ({ name }) => name,
    gives: "never",
    paint: ({ is_active }) => (is_active === false ? "quiet" : undefined),
  },
  ...DEFAULT_PEOPLE.map(
    ({ read, label: heading = read, isOptional }): Column<TrackerProductPart> => ({
      ...{ name: read, heading, value: (part) => part[read] },
      ...(isOptional ? { leaves: 1 } : {}),
    }),
  ),
  {
    name: "is_active",
    heading: "Active",
    value: ({ is_active }) => is_active,
    cell: ({ is_active }) => yesNoText(is_active),
    leaves: 3,
  },
  { name: "description", heading: "Description", value: ({ description }) => description, gives: "first", leaves: 2 },
];
