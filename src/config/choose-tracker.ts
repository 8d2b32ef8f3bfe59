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
type TrackerChoice = {
  readonly place: TrackerAddress;
  readonly source: string; // of the address
  readonly settings: SettingValues;
};

/** The flags that name a tracker. */
type NamingFlags = { readonly baseUrl?: string | undefined; readonly profile?: string | undefined };

/**
 * Chooses the tracker: flags before environment before configuration, and in each the address before the profile. There
 * is no default address, which might be someone else's tracker.
 * @throws BtError of kind usage if none is configured
 */
export function chooseTracker(flags: NamingFlags, env: Host["env"], configuration: Configuration): TrackerChoice {
  const chosen = findTracker(flags, env, configuration);
  if (chosen) return chosen;
  throw usageError("no tracker configured", "bt auth login ADDRESS; to try bt without a tracker: --base-url demo:");
}

/** The tracker that flags, environment or configuration name; undefined if none does. */
export function findTracker(
  flags: NamingFlags,
  env: Host["env"],
  configuration: Configuration,
): TrackerChoice | undefined {
  const profile = chooseProfile(flags, env, configuration);
  const settings = effectiveSettings(configuration, profile, env);
  const ofProfile = profile === undefined ? undefined : configuration.profiles?.[profile]?.base_url;
  const ways = [
    [flags.baseUrl, "--base-url"],
    [flags.profile && ofProfile, `the profile ${flags.profile}`],
    [env["BT_BASE_URL"] || undefined, "BT_BASE_URL"],
    [ofProfile, `the profile ${profile}`],
    [settings.base_url, "the configuration"],
  ] as const;
  const [address, source = ""] = ways.find(([named]) => named !== undefined) ?? [];
  return address === undefined ? undefined : { place: parseAddress(address, source), source, settings };
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
  const standing = flags.baseUrl || env["BT_BASE_URL"] ? undefined : profile;
  const named = flags.profile ?? (env["BT_PROFILE"] || undefined) ?? standing;
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

/** Error for an unusable address, which may have a login or a key: they are not printed. */
export function unusableAddressError(address: string, source: string): BtError {
  const shown = address.replace(/^([a-z]+:[/\\]*)?.*@/is, "$1").replace(/[?#].*$/s, "");
  const problem = shown === address ? "is not a tracker address" : "comes with a login, a query or a fragment";
  const hint = "use https://bugs.example.org, local:, local:/FILE, mirror:NAME or demo:";
  return usageError(`${JSON.stringify(shown)} (from ${source}) ${problem}`, hint);
}
