import { type AvailableFlagType, readFlagTypes } from "../../../api/write/flags.ts";
import { usageError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { distinctPlaces } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";

/** Name of the flag that requests information. */
export function needinfoFlagName({ session }: Context): string {
  return session.settings.needinfo_flag ?? "needinfo";
}

/**
 * Finds the active flag type of this name for a bug, by its product and component; undefined where the tracker does not list
 * flag types.
 * @throws BtError of kind usage if the product and component of a bug have none, or several
 */
export async function readFlagTypeFinder(
  bugs: readonly Bug[],
  name: string,
  { session }: Context,
): Promise<(bug: Bug) => AvailableFlagType | undefined> {
  const found = new Map<string, AvailableFlagType | undefined>();
  for (const bug of distinctPlaces(bugs)) found.set(placeKey(bug), await readTypeFor(bug, name, session));
  return (bug) => found.get(placeKey(bug));
}

function placeKey({ product, component }: Bug): string {
  return JSON.stringify([product, component]);
}

async function readTypeFor(bug: Bug, name: string, { send, address }: Session): Promise<AvailableFlagType | undefined> {
  const { id, product, component } = bug;
  const all = product && component ? await readFlagTypes({ product, component, target: "bug" }, send) : undefined;
  if (!all) return undefined;
  const [type, ...others] = all.filter((one) => one.name === name);
  const place = `${product}/${component}`;
  if (!type) throw usageError(`${place} has no flag ${name}`, missingFlagHint(address));
  if (others.length === 0) return type;
  const hint = `choose one: bt bug update ${id} --flag 'type:${type.id}?(LOGIN)'`;
  throw usageError(`${place} has ${others.length + 1} flag types named ${name}`, hint);
}

function missingFlagHint(address: string): string {
  const where = /^https?:/.test(address) ? `at ${address}/editflagtypes.cgi` : "to the flag_types of bt admin apply";
  return `an administrator can add it ${where}; for another flag: bt config set needinfo_flag NAME`;
}
