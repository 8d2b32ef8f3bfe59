import { isPrivateMirror, mirrorNames } from "../../config/mirror-files.ts";
import { type BtError, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { OpenedMirror } from "../../tracker/mirror/open.ts";
import { clockTime } from "../../view/times.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import { openMirrorNamed } from "./mirror.ts";

/** A tracker on the network and its login: null without one, undefined if it is unknown. */
export type MirroredAccount = { readonly baseUrl: string; readonly login: string | null | undefined };

type FoundMirror = { readonly name: string; readonly facts: MirrorFacts };

/** The mirrors of an account, by name; those that cannot be read are left out. */
export function mirrorsOf(account: MirroredAccount, io: Io): readonly FoundMirror[] {
  return allMirrors(io).found.filter(({ facts }) => isOf(facts, account));
}

/** All mirrors, and the errors about those that cannot be opened. */
function allMirrors(io: Io): { readonly found: readonly FoundMirror[]; readonly unopened: readonly unknown[] } {
  const unopened: unknown[] = [];
  const found = mirrorNames(io).flatMap((name) => {
    try {
      return factsOf(openMirrorNamed(name, io, { insecureFiles: true }), name);
    } catch (error) {
      unopened.push(error);
      return [];
    }
  });
  return { found, unopened };
}

/** Facts of an opened mirror, which is closed; none if they cannot be read. */
function factsOf(opened: OpenedMirror, name: string): readonly FoundMirror[] {
  try {
    return [{ name, facts: opened.facts() }];
  } catch {
    return [];
  } finally {
    opened.close();
  }
}

/** True for a mirror of an account; of an unknown login, for those of any login. */
function isOf(facts: MirrorFacts, { baseUrl, login }: MirroredAccount): boolean {
  if (facts.tracker !== baseUrl) return false;
  return login === undefined ? facts.login !== null : sameLogin(facts.login, login);
}

function sameLogin(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/**
 * The one mirror of an account, for `--offline`.
 * @throws BtError of kind usage if there is none, or several; of kind local if there is none but one cannot be opened
 */
export function mirrorFor(account: MirroredAccount, io: Io): ChosenMirror {
  const { found, unopened } = allMirrors(io);
  const [only, ...others] = found.filter(({ facts }) => isOf(facts, account));
  const isLoginKnown = account.login !== undefined;
  if (only === undefined) throw unopened[0] ?? noMirror(account, found); // one that cannot be opened may be it
  if (others.length === 0) return { name: only.name, isLoginKnown };
  const names = [only, ...others].map((mirror) => (isLoginKnown ? `mirror:${mirror.name}` : addressAndLogin(mirror)));
  throw usage(`several mirrors of ${accountText(account)}`, `choose one: --base-url ${names.join(" or ")}`);
}

/** A mirror to read from; if the account's login is not known, that of the mirror has to be reported. */
export type ChosenMirror = { readonly name: string; readonly isLoginKnown: boolean };

function noMirror(account: MirroredAccount, found: readonly FoundMirror[]): BtError {
  const ofTracker = found.filter(({ facts }) => facts.tracker === account.baseUrl);
  const others = ofTracker.map(addressAndLogin).join(" or ");
  const whose = others === "" ? "" : `; of another login: --base-url ${others}`;
  return usage(`no mirror of ${accountText(account)}`, `to create one while online: bt mirror create NAME${whose}`);
}

function accountText({ baseUrl, login }: MirroredAccount): string {
  return login ? `${baseUrl} as ${login}` : baseUrl;
}

function addressAndLogin({ name, facts }: FoundMirror): string {
  return `mirror:${name} (${facts.login ?? "without a login"})`;
}

/** Hint at the mirror of an account, with its age; undefined if there is none. */
export function mirrorHint(account: MirroredAccount, timeZone: string, io: Io): string | undefined {
  for (const { name, facts } of mirrorsOf(account, io)) {
    if (facts.lastSync === null || !isPrivateMirror(name, io)) continue;
    const time = clockTime(facts.lastSync, { now: io.now(), timeZone });
    return `--offline reads from the mirror ${name}, as of ${time}`;
  }
  return undefined;
}
