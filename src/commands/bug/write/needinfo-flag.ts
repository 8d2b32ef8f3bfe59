import { type AvailableFlagType, readFlagTypes } from "../../../api/write/flags.ts";
import { usageError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { distinctPlaces } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";

/** Name of the flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? "needinfo";
}

/**
 * Finds the flag type of this name for a bug; undefined where the tracker does not list flag types.
 * @throws BtError of kind usage if the product and component of a bug have none
 */
export async function readFlagTypeFinder(
  bugs: readonly Bug[],
  name: string,
  { session }: Context,
): Promise<(bug: Bug) => AvailableFlagType | undefined> {
  const found = new Map<string, AvailableFlagType | undefined>();
  for (const bug of distinctPlaces(bugs)) {
    const { product, component } = bug;
    const all = product && component ? await readFlagTypes({ product, component }, session.send) : undefined;
    const type = all?.find((one) => one.name === name);
    if (all && !type) throw usageError(`${product}/${component} has no flag ${name}`, missingFlagHint(session.address));
    found.set(placeKey(bug), type);
  }
  return (bug) => found.get(placeKey(bug));
}

function placeKey({ product, component }: Bug): string {
  return JSON.stringify([product, component]);
}

function missingFlagHint(address: string): string {
  const where = /^https?:/.test(address) ? `at ${address}/editflagtypes.cgi` : "to the flag_types of bt admin apply";
  return `an administrator can add it ${where}; for another flag: bt config set needinfo_flag NAME`;
}
