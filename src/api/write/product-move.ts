import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { type Catalog, fieldOf } from "../catalog.ts";
import { legalNames } from "../legal-value.ts";
import { flagName } from "../parameter.ts";

/** What belongs to a product and so has to follow when a bug moves to another. */
const FOLLOWERS = ["component", "version", "target_milestone"] as const;

/**
 * Refuses a move to another product that leaves a bug with a component, version or milestone which that product lacks,
 * and says what it offers instead; a server would refuse it too, one field at a time.
 */
export function checkProductMove(bugs: readonly Bug[], body: JsonObject, catalog: Catalog): void {
  const product = body["product"];
  if (typeof product !== "string") return;
  const moving = bugs.filter((bug) => bug.product !== product);
  const missing = FOLLOWERS.flatMap((name) => {
    if (body[name] !== undefined) return [];
    const names = legalNames(fieldOf(catalog, name), product) ?? [];
    const lost = moving.filter((bug) => names.length > 0 && !names.includes(bug[name] ?? ""));
    return lost.length > 0 ? [{ name, names, values: [...new Set(lost.map((bug) => bug[name]))] }] : [];
  });
  if (missing.length === 0) return;
  throw new BtError("usage", `${product} has other values than the product that the bugs leave`, {
    details: missing.map(
      ({ name, names, values }) => `--${flagName(name)}: ${values.join(", ")} is not there; ${names.join(", ")} are`,
    ),
    hint: "give the new values in the same command",
    changed: "nothing",
  });
}
