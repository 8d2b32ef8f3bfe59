import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";

/** A mirror; one that cannot be opened has only its name, and the reason as `state`. */
type MirrorRow = {
  readonly name: string;
  readonly tracker?: string;
  readonly login?: string | null;
  readonly products?: readonly string[];
  readonly bugs?: number;
  readonly synced?: string | null;
  readonly state: string;
};

const column = columnMaker<MirrorRow>();

export const MIRROR_COLUMNS: readonly Column<MirrorRow>[] = [
  column("name", "Name", "text", { shrink: "never" }),
  column("tracker", "Tracker", "lines"),
  column("login", "Login", "lines", { optional: 1 }),
  column("products", "Products", "lines", { text: ({ products }) => products?.join(", ") ?? "" }),
  column("bugs", "Bugs", "number"),
  column("synced", "Synced", "time"),
  column("state", "State", "text", { paint: ({ state }) => (state === "complete" ? undefined : "warn") }),
];
