import type { TrackerAddress } from "../config/choose-tracker.ts";
import { mirrorNames } from "../config/mirror-files.ts";
import { usage } from "../errors.ts";
import type { Io } from "../io.ts";
import { openMirrorNamed } from "./mirror.ts";

/** A tracker on the network and its login: null without one, undefined if it is unknown. */
export type MirroredAccount = { readonly baseUrl: string; readonly login: string | null | undefined };

/** A mirror of an account, with the start of its last sync. */
export type FoundMirror = { readonly name: string; readonly login: string | null; readonly lastSync: string | null };

/** The mirrors of an account, by name; those that cannot be read are left out. */
function mirrorsOf({ baseUrl, login }: MirroredAccount, io: Io): readonly FoundMirror[] {
  return mirrorNames(io)
    .flatMap((name) => found(name, io))
    .filter(({ tracker }) => tracker === baseUrl)
    .filter((mirror) => (login === undefined ? mirror.login !== null : sameLogin(mirror.login, login)));
}

function sameLogin(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function found(name: string, io: Io): readonly (FoundMirror & { readonly tracker: string })[] {
  try {
    const opened = openMirrorNamed(name, io);
    const { tracker, login, lastSync } = opened.facts();
    opened.close();
    return [{ name, tracker, login, lastSync }];
  } catch {
    return [];
  }
}

/**
 * The one mirror of an account, for `--offline`.
 * @throws BtError of kind usage if there is none, or several
 */
export function mirrorFor(account: MirroredAccount, io: Io): TrackerAddress & { readonly kind: "mirror" } {
  const [only, ...others] = mirrorsOf(account, io);
  const { baseUrl, login } = account;
  const whom = login ? ` as ${login}` : "";
  if (only === undefined) {
    throw usage(`no mirror of ${baseUrl}${whom}`, "to create one while online: bt mirror create NAME");
  }
  if (others.length === 0) return { kind: "mirror", name: only.name };
  const names = [only, ...others].map(({ name }) => `mirror:${name}`);
  throw usage(`several mirrors of ${baseUrl}${whom}`, `choose one: --base-url ${names.join(" or ")}`);
}
