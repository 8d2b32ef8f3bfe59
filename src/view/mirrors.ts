import type { Column } from "./column.ts";
import { shortRelativeTime } from "./times.ts";

/** A mirror in a list; of one that cannot be opened only its name, and the reason as `state`. */
export type MirrorRow = {
  readonly name: string;
  readonly tracker?: string;
  readonly login?: string | null;
  readonly products?: readonly string[];
  readonly bugs?: number;
  readonly lastSync?: string | null;
  readonly state: string;
};

/** All columns of a list of mirrors. */
export const MIRROR_COLUMNS: readonly Column<MirrorRow>[] = [
  { name: "name", heading: "Name", value: ({ name }) => name, shrink: "never" },
  { name: "tracker", heading: "Tracker", value: ({ tracker }) => tracker, shrink: "first" },
  { name: "login", heading: "Login", value: ({ login }) => login, shrink: "first", optional: 1 },
  {
    name: "products",
    heading: "Products",
    value: ({ products }) => products,
    text: ({ products }) => products?.join(", ") ?? "",
    shrink: "first",
  },
  { name: "bugs", heading: "Bugs", value: ({ bugs }) => bugs, align: "right" },
  {
    name: "synced",
    heading: "Synced",
    value: ({ lastSync }) => lastSync,
    cell: ({ lastSync }, view) => (lastSync ? shortRelativeTime(lastSync, view) : ""),
  },
  {
    name: "state",
    heading: "State",
    value: ({ state }) => state,
    paint: ({ state }) => (state === "complete" ? undefined : "warn"),
  },
];
