import type { SendRequest } from "../../api/operations/operation.ts";
import { probeDialect } from "../../api/search/dialect.ts";
import { chooseTracker, findTracker, parseAddress } from "../../config/choose-tracker.ts";
import { changeSettings, readSettings } from "../../config/settings.ts";
import { BtError, isKind, messageOfError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { parsedUrl } from "../../wire/exchange.ts";
import type { SharedInput } from "../input.ts";
import { mayPrompt } from "../shared/prompts.ts";

export type LoginInput = SharedInput & { readonly login?: string | undefined };

/**
 * Tracker flags of `bt auth login [ADDRESS]`: the given address, else the configured one, else the answer to a prompt.
 * @throws BtError of kind usage without any
 */
export async function loginFlags(input: LoginInput, { io }: { io: Io }): Promise<SessionFlags> {
  const {
    args: [given],
    baseUrl,
    profile: wanted,
  } = input;
  if (given !== undefined && baseUrl !== undefined) {
    throw usageError("the address is given twice, as an argument and with --base-url");
  }
  const isKnown = wanted !== undefined && Object.hasOwn(readSettings(io).profiles ?? {}, wanted);
  const profile = isKnown ? wanted : undefined;
  const named = given ?? baseUrl;
  const naming = { flags: { profile }, env: io.env, settings: readSettings(io) };
  if (named === undefined && wanted === profile && findTracker(naming)) return input;
  return { ...input, profile, baseUrl: fullAddress(named ?? (await askForAddress(io))) };
}

async function askForAddress(io: Io): Promise<string> {
  if (!mayPrompt(io, readSettings(io))) throw usageError("no tracker address", "use bt auth login ADDRESS");
  const check = (text: string) => messageOfError(() => fullAddress(text));
  return io.prompt({ kind: "line", message: "Address of the tracker, such as bugs.example.org", check });
}

/**
 * Address of a tracker as people type or copy it: a host, or the address of any of its pages. Without a scheme it is https,
 * on this machine http.
 * @throws BtError of kind usage if it cannot be an address
 */
export function fullAddress(text: string): string {
  const typed = text.trim();
  if (/^(?:demo:$|local:|mirror:)/.test(typed)) return typed;
  const scheme = /^(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/i.test(typed) ? "http" : "https";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${scheme}://${typed}`;
  if (typed === "" || /\s/.test(typed) || parsedUrl(address) === undefined) {
    throw usageError(`${JSON.stringify(typed)} is not a tracker address`, "use an address such as bugs.example.org");
  }
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  url.pathname = url.pathname.replace(PAGE, "");
  const place = parseAddress(url.href, "the argument");
  return place.kind === "network" ? place.baseUrl : typed;
}

/** End of a page's URL after the address of the tracker: a script, a resource, or the number of a bug. */
const PAGE = /\/(?:(?!rest\.cgi)[\w-]+\.(?:cgi|html)(?:\/.*)?|rest\/.*|\d+)$/;

/**
 * Makes a tracker the default one if there is none, or that of the profile, and reports it. An existing default is
 * kept.
 * @throws BtError of kind local if the settings cannot be written
 */
export async function storeTracker(
  { baseUrl, profile }: { readonly baseUrl: string; readonly profile: string | undefined },
  io: Io,
  report: (sentence: string) => Promise<void>,
): Promise<void> {
  const before = readSettings(io);
  const isFirst = !before.base_url && !before.profile;
  if (profile !== undefined) {
    await changeSettings(io, ({ profiles = {}, ...settings }) => ({
      ...settings,
      ...(isFirst && { profile }),
      profiles: { ...profiles, [profile]: { ...profiles[profile], base_url: baseUrl } },
    }));
    if (before.profiles?.[profile]?.base_url === baseUrl) return;
    return report(`${baseUrl} is the tracker of the profile ${profile}${isFirst ? ", the default one" : ""}`);
  }
  if (isFirst && !io.env["BT_BASE_URL"]) {
    await changeSettings(io, (settings) => ({ ...settings, base_url: baseUrl }));
    return report(`${baseUrl} is now the default tracker`);
  }
  const { place } = chooseTracker({ flags: {}, env: io.env, settings: before });
  if (place.kind !== "network" || place.baseUrl !== baseUrl)
    await report(`to make it the default tracker: bt config set base_url ${baseUrl}`);
}

/**
 * Checks that a tracker answers at the address, for a login before it prompts for secrets.
 * @throws BtError of kind reply, missing or refused if something else does
 */
export async function proveTracker(address: string, sendAsNobody: SendRequest): Promise<void> {
  try {
    await probeDialect(sendAsNobody);
  } catch (error) {
    if (isKind(error, "auth")) return; // it wants a login
    if (!isKind(error, "missing", "refused", "reply")) throw error;
    throw new BtError(error.kind, `no tracker answers at ${address}`, {
      ...error.facts,
      details: [error.message],
      hint: "copy the address of its start page from the browser; it may have a path, such as /bugzilla",
    });
  }
}
