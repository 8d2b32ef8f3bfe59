import { chooseTracker } from "../../config/choose-tracker.ts";
import { type LoginEntry, readLogins } from "../../config/credentials.ts";
import { type Configuration, readSettings } from "../../config/settings.ts";
import { BtError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { AuthContext } from "./auth-context.ts";

/**
 * Reports that the stored login of another user for the tracker is replaced, since an address has one login; prompts
 * first if other profiles use it.
 * @throws BtError of kind no if it is to stay
 */
export async function checkReplaced(auth: AuthContext, user: string | undefined): Promise<void> {
  const stored = readLogins(auth.host).find(({ origin }) => origin === auth.baseUrl);
  if (stored === undefined || isSameUser(stored, user)) return;
  const { sharedBy = [] } = auth;
  const sharing =
    sharedBy.length === 0 ? "" : `, which ${sharedBy.join(" and ")} also ${sharedBy.length === 1 ? "uses" : "use"}`;
  const which = `the stored login${stored.user ? ` of ${stored.user}` : ""} for ${auth.baseUrl}${sharing}`;
  if (sharedBy.length > 0 && auth.prompt) {
    const answer = await auth.prompt({ kind: "confirm", message: `replace ${which}?` });
    if (answer !== "yes") throw new BtError("no", "login not stored", { changed: "nothing" });
  }
  await auth.say(`replacing ${which}`);
}

function isSameUser(stored: LoginEntry, user: string | undefined): boolean {
  return stored.user !== undefined && stored.user.toLowerCase() === user?.toLowerCase();
}

/** The other profiles with the same tracker, and the configuration without one, in words. */
export function sharingProfiles(baseUrl: string, profile: string | undefined, io: Io): string[] {
  const settings = readSettings(io);
  const { profile: _, ...general } = settings;
  const names = Object.keys(settings.profiles ?? {}).filter((name) => name !== profile);
  const sharing = names.filter((name) => addressOf(settings, name) === baseUrl);
  const isGeneral = profile !== undefined && addressOf(general, undefined) === baseUrl;
  return [
    ...sharing.map((name) => `the profile ${name}`),
    ...(isGeneral ? ["the configuration without a profile"] : []),
  ];
}

function addressOf(settings: Configuration, profile: string | undefined): string | undefined {
  try {
    const { place } = chooseTracker({ flags: { profile }, env: {}, settings });
    return place.kind === "network" ? place.baseUrl : undefined;
  } catch (error) {
    if (error instanceof BtError && error.kind === "usage") return undefined;
    throw error;
  }
}
