import { type BtError, usageError } from "../errors.ts";
import { parsedUrl } from "../wire/exchange.ts";
import type { Host } from "./files.ts";
import { type Configuration, effectiveSettings, type SettingValues } from "./settings.ts";

/** Address of a tracker: on the network, embedded (`local:`, `local:/FILE` or `demo:`), or a mirror. */
export type TrackerAddress =
  | { readonly kind: "network"; readonly baseUrl: string }
  | { readonly kind: "embedded"; readonly address: string }
  | { readonly kind: "mirror"; readonly name: string };

/** The tracker of a command, with effective settings. */
type TrackerChoice = { readonly place: TrackerAddress; readonly settings: SettingValues };

/** The flags that name a tracker. */
type NamingFlags = { readonly baseUrl?: string | undefined; readonly profile?: string | undefined };

/**
 * The tracker of `findTracker`; there is no default one, which might be someone else's.
 * @throws BtError of kind usage if none is configured
 */
export function chooseTracker(flags: NamingFlags, env: Host["env"], configuration: Configuration): TrackerChoice {
  const chosen = findTracker(flags, env, configuration);
  if (chosen) return chosen;
  throw usageError("no tracker configured", "bt auth login ADDRESS; to try bt without a tracker: --base-url demo:");
}

/** The tracker by flags, environment or configuration, in this order, and in each the address before the profile. */
export function findTracker(
  flags: NamingFlags,
  env: Host["env"],
  configuration: Configuration,
): TrackerChoice | undefined {
  const profile = chooseProfile(flags, env, configuration);
  const settings = effectiveSettings(configuration, profile, env);
  const profileAddress = flags.profile && configuration.profiles?.[flags.profile]?.base_url;
  const candidates = [
    [flags.baseUrl, "--base-url"],
    [profileAddress, `the profile ${flags.profile}`],
    [env["BT_BASE_URL"] || undefined, "BT_BASE_URL"],
    [settings.base_url, "the configuration"],
  ] as const;
  const [address, source = ""] = candidates.find(([named]) => named !== undefined) ?? [];
  return address === undefined ? undefined : { place: parseAddress(address, source), settings };
}

/**
 * The profile in force. The default profile does not apply to an address given without it: its product, proxy and key
 * style belong to its own tracker.
 * @throws BtError of kind usage for an unknown profile
 */
function chooseProfile(
  flags: NamingFlags,
  env: Host["env"],
  { profile, profiles = {} }: Configuration,
): string | undefined {
  const defaultProfile = flags.baseUrl || env["BT_BASE_URL"] ? undefined : profile;
  const named = flags.profile ?? (env["BT_PROFILE"] || undefined) ?? defaultProfile;
  if (named === undefined || Object.hasOwn(profiles, named)) return named;
  const known = Object.keys(profiles).join(", ") || "none yet";
  throw usageError(
    `unknown profile ${JSON.stringify(named)}`,
    `profiles: ${known}; to create it: bt config set base_url ADDRESS --profile ${named}`,
  );
}

/**
 * Parses and normalizes an address: no trailing slash or `/rest`, lower-case host. `source` is for errors.
 * @throws BtError of kind usage
 */
export function parseAddress(address: string, source: string): TrackerAddress {
  if (address === "demo:" || address.startsWith("local:")) return { kind: "embedded", address };
  const name = /^mirror:(.*)$/s.exec(address)?.[1];
  if (name !== undefined && isMirrorName(name)) return { kind: "mirror", name };
  const url = parsedUrl(address);
  const isPage = /\/(?!rest\.)\w+\.cgi$/.test(url?.pathname ?? "");
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash || isPage)
    throw unusableAddressError(address, source);
  const place = url.origin + url.pathname;
  return { kind: "network", baseUrl: place.replace(/\/+$/, "").replace(/\/rest$/, "") };
}

/** True for a name that a mirror can have. */
export function isMirrorName(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

/** Error for an unusable address; one with a login or a key is not printed. */
export function unusableAddressError(address: string, source: string): BtError {
  const hint = "use https://bugs.example.org, local:, local:/FILE, mirror:NAME or demo:";
  if (/[@?#]/.test(address)) return usageError(`the address from ${source} has a login, a query or a fragment`, hint);
  return usageError(`${JSON.stringify(address)} (from ${source}) is not a tracker address`, hint);
}
