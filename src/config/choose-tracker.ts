import { BtError, usage } from "../errors.ts";
import type { Host } from "./files.ts";
import { type Configuration, effectiveSettings, type SettingValues } from "./settings.ts";

/** Address of a tracker: network, embedded on a file (the default file if absent), the demo, or a mirror. */
export type TrackerAddress =
  | { readonly kind: "network"; readonly baseUrl: string }
  | { readonly kind: "local"; readonly file?: string }
  | { readonly kind: "demo" }
  | { readonly kind: "mirror"; readonly name: string };

/** The tracker of a command, with profile and effective settings. */
export type TrackerChoice = {
  readonly place: TrackerAddress;
  readonly source: string; // origin of the address, for `bt auth status` and `bt config list`
  readonly profile: string | undefined;
  readonly settings: SettingValues;
};

/** Sources of the tracker's address. */
export type TrackerNaming = {
  readonly flags: { readonly baseUrl?: string | undefined; readonly profile?: string | undefined };
  readonly env: Host["env"];
  readonly settings: Configuration;
};

/**
 * Chooses the tracker: flags before environment before configuration, and in each the address before the profile. There
 * is no default address, which might be someone else's tracker.
 * @throws BtError of kind usage if none is configured
 */
export function chooseTracker(naming: TrackerNaming): TrackerChoice {
  const profile = chooseProfile(naming);
  const settings = effectiveSettings(naming.settings, profile);
  const named =
    namedAddress(naming, profile) ?? (settings.base_url && { address: settings.base_url, source: "the configuration" });
  if (!named) throw nowhere();
  return { place: parseAddress(named.address, named.source), source: named.source, profile, settings };
}

/**
 * The profile in force. The default profile does not apply to an address given without it: its product, proxy and key
 * style belong to its own tracker.
 * @throws BtError of kind usage for an unknown profile
 */
function chooseProfile({ flags, env, settings }: TrackerNaming): string | undefined {
  const standing = flags.baseUrl || env["BT_BASE_URL"] ? undefined : settings.profile;
  const named = flags.profile ?? (env["BT_PROFILE"] || undefined) ?? standing;
  if (named === undefined || Object.hasOwn(settings.profiles ?? {}, named)) return named;
  const known = Object.keys(settings.profiles ?? {}).join(", ") || "none yet";
  throw usage(
    `unknown profile ${JSON.stringify(named)}`,
    `profiles: ${known}; to create it: bt config set base_url ADDRESS --profile ${named}`,
  );
}

/**
 * Base URL that BT_API_KEY belongs to: BT_BASE_URL, else the configured one. Flags do not count, so that a key never
 * follows to another address. Undefined if none.
 */
export function variableKeyOwner(env: Host["env"], settings: Configuration): string | undefined {
  try {
    const { place } = chooseTracker({ flags: {}, env, settings });
    return place.kind === "network" ? place.baseUrl : undefined;
  } catch (error) {
    if (error instanceof BtError && error.kind === "usage") return undefined;
    throw error;
  }
}

/**
 * Parses and normalizes an address: no trailing slash or `/rest`, lower-case host. `source` is for errors.
 * @throws BtError of kind usage
 */
export function parseAddress(address: string, source: string): TrackerAddress {
  if (address === "demo:") return { kind: "demo" };
  if (address === "local:") return { kind: "local" };
  if (address.startsWith("local:")) return { kind: "local", file: address.slice("local:".length) };
  if (address.startsWith("mirror:")) return mirrorAddress(address, source);
  return { kind: "network", baseUrl: networkAddress(address, source) };
}

/** The address as text, as `parseAddress` reads it. */
export function addressText(place: TrackerAddress): string {
  if (place.kind === "network") return place.baseUrl;
  if (place.kind === "mirror") return `mirror:${place.name}`;
  return place.kind === "demo" ? "demo:" : `local:${place.file ?? ""}`;
}

/** True for a name that a mirror can have. */
export function isMirrorName(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

function mirrorAddress(address: string, source: string): TrackerAddress {
  const name = address.slice("mirror:".length);
  if (isMirrorName(name)) return { kind: "mirror", name };
  throw usage(
    `${JSON.stringify(address)} (from ${source}) names no mirror`,
    "use mirror:NAME; bt mirror list shows names",
  );
}

function networkAddress(address: string, source: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unusable(address, source);
  if (url.username !== "" || url.password !== "") {
    throw usage(`the address from ${source} contains a login or password`, "remove it, and log in with: bt auth login");
  }
  if (url.search !== "" || url.hash !== "") throw unusable(`${url.origin}${url.pathname}?...`, source);
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/rest$/, "");
}

function namedAddress({ flags, env, settings }: TrackerNaming, profile: string | undefined) {
  const ofProfile = profile === undefined ? undefined : settings.profiles?.[profile]?.base_url;
  const ways = [
    { address: flags.baseUrl, source: "--base-url" },
    { address: flags.profile && ofProfile, source: `the profile ${flags.profile}` },
    { address: env["BT_BASE_URL"], source: "BT_BASE_URL" },
    { address: ofProfile, source: `the profile ${profile}` },
  ];
  const way = ways.find(({ address }) => address !== undefined && address !== "");
  if (flags.baseUrl === "") throw unusable("", "--base-url");
  return way && { address: way.address ?? "", source: way.source };
}

function unusable(address: string, source: string): BtError {
  const host = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(address) ? `; did you mean https://${address}?` : "";
  return usage(
    `${JSON.stringify(address.replace(/\/\/[^/]*@/, "//"))} (from ${source}) is not a tracker address`,
    `use https://bugs.example.org, local:, local:/FILE, mirror:NAME or demo:${host}`,
  );
}

function nowhere(): BtError {
  return usage("no tracker configured", "bt auth login ADDRESS; to try bt without a tracker: --base-url demo:");
}
