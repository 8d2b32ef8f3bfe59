import type { Json } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import { asText } from "../rules/text.ts";

const MAX_LENGTH = 64; // of products, versions and milestones: Bugzilla::Constants

/** A name for a product, which no other product (`id` is its own) has in any letter case. Codes 700, 701, 702. */
export function readProductName({ store }: Call, value: Json | undefined, id = 0): string {
  const name = asText(value, "name").trim();
  if (name === "") throw new Fault(400, 700, "You must enter a name for the product.");
  refuseLong("product", name, 701);
  const other = store.get<{ readonly name: string }>("SELECT name FROM products WHERE name = ? AND id <> ?", [
    name,
    id,
  ]);
  if (other) {
    const differs = `differs from existing product '${other.name}' only in case`;
    const how = other.name === name ? "already exists" : differs;
    throw new Fault(400, 702, `The product name '${name}' ${how}.`);
  }
  return name;
}

/** What a product is, in words. Code 703. */
export function readProductDescription(value: Json | undefined): string {
  const description = asText(value, "description").trim();
  if (description === "") throw new Fault(400, 703, "You must enter a description for this product.");
  return description;
}

/** The first version of a product. Code 704. */
export function readFirstVersion(value: Json | undefined): string {
  const version = asText(value, "version").trim();
  if (version === "") throw new Fault(400, 704, "You must enter a valid version to create a new product.");
  refuseLong("version", version, 32000);
  return version;
}

/** The name of a milestone. */
export function readMilestoneName(value: Json | undefined): string {
  const name = asText(value, "default_milestone").trim();
  refuseLong("milestone", name, 32000);
  return name;
}

function refuseLong(kind: string, name: string, code: number): void {
  const { length } = [...name];
  if (length > MAX_LENGTH) {
    throw new Fault(
      400,
      code,
      `The name of a ${kind} is limited to ${MAX_LENGTH} characters. '${name}' is too long (${length} characters).`,
    );
  }
}
