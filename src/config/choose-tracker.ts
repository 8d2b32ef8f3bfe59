import { BtError, usage } from "../errors.ts";
import type { Host } from "./files.ts";
import { type Configuration, effectiveSettings, type SettingValues } from "./settings.ts";

/** Which tracker a command is for: on the network, embedded on a file (the usual one when none is named), or the demo. */
export type TrackerAddress =
  | { readonly kind: "network"; readonly baseUrl: string }
  | { readonly kind: "local"; readonly file?: string }
  | { readonly kind: "demo" };

/** The tracker of a command, the profile in force, and the settings that hold with it. */
export type TrackerChoice = {
  readonly place: TrackerAddress;
  readonly source: string; // what named the tracker, for `bt auth status` and `bt config list`
  readonly profile: string | undefined;
  readonly settings: SettingValues;
};

/** What may name a tracker. */
export type TrackerNaming = {
  readonly flags: { readonly baseUrl?: string | undefined; readonly profile?: string | undefined };
  readonly env: Host["env"];
  readonly settings: Configuration;
};

/**
 * The tracker that is meant: flags before variables before the configuration, and of one kind the address before the
 * profile. There is no default address: a tool that guesses one talks to somebody else's tracker.
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
 * The profile in force; naming one that does not exist is an error. The default one stands back when an address is named
 * without it: its product, proxy or style of key belong to its own tracker.
 */
function chooseProfile({ flags, env, settings }: TrackerNaming): string | undefined {
  const standing = flags.baseUrl || env["BT_BASE_URL"] ? undefined : settings.profile;
  const named = flags.profile ?? (env["BT_PROFILE"] || undefined) ?? standing;
  if (named === undefined || Object.hasOwn(settings.profiles ?? {}, named)) return named;
  const known = Object.keys(settings.profiles ?? {}).join(", ") || "none yet";
  throw usage(
    `there is no profile called ${JSON.stringify(named)}`,
    `profiles: ${known}; to make it: bt config set base_url ADDRESS --profile ${named}`,
  );
}

/**
 * The base URL that the key in BT_API_KEY belongs to: that of BT_BASE_URL, else of the configuration's own choice. What a
 * flag names does not count, so that a key never follows to another address. Undefined when it belongs to none.
 */
export function variableKeyOwner({ env, settings }: Pick<TrackerNaming, "env" | "settings">): string | undefined {
  try {
    const { place } = chooseTracker({ flags: {}, env, settings });
    return place.kind === "network" ? place.baseUrl : undefined;
  } catch (error) {
    if (error instanceof BtError && error.kind === "usage") return undefined;
    throw error;
  }
}

/** Reads an address, in one form: no slash and no `/rest` at the end, the host in small letters. `source` is for errors. */
export function parseAddress(address: string, source: string): TrackerAddress {
  if (address === "demo:") return { kind: "demo" };
  if (address === "local:") return { kind: "local" };
  if (address.startsWith("local:")) return { kind: "local", file: address.slice("local:".length) };
  return { kind: "network", baseUrl: networkAddress(address, source) };
}

function networkAddress(address: string, source: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unusable(address, source);
  if (url.username !== "" || url.password !== "") {
    throw usage(
      `the address named by ${source} holds a login or password`,
      "leave it out, and give the key with: bt auth login",
    );
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
    `${JSON.stringify(address.replace(/\/\/[^/]*@/, "//"))} (from ${source}) is not the address of a tracker`,
    `an address is https://bugs.example.org, local:, local:/FILE or demo:${host}`,
  );
}

function nowhere(): BtError {
  return usage(
    "no tracker is named",
    "three ways: --base-url ADDRESS, the variable BT_BASE_URL, or bt config set base_url ADDRESS; --base-url demo: tries bt out",
  );
}
