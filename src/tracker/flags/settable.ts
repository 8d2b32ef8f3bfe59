import type { Call } from "../call.ts";
import type { Bug } from "../rules/bug.ts";
import type { FlagType } from "../rules/flags.ts";
import { mayGrant, mayRequest } from "./rights.ts";
import { flagTypesFor } from "./types.ts";

/** The flag types that fit a bug where it is, with what the requester may do with each. */
export function bugFlagTypes(
  call: Call,
  { product, component }: Pick<Bug, "product" | "component">,
): readonly FlagType[] {
  return flagTypesFor(call.store, { productId: product.id, componentId: component.id })
    .filter(({ target }) => target === "bug")
    .map((type) => ({
      id: type.id,
      name: type.name,
      is_active: type.is_active === 1,
      is_requestable: type.is_requestable === 1,
      is_requesteeble: type.is_requesteeble === 1,
      is_multiplicable: type.is_multiplicable === 1,
      mayRequest: mayRequest(call, type),
      mayGrant: mayGrant(call, type),
    }));
}
