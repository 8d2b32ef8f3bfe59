import type { TrackerAddress } from "../../config/choose-tracker.ts";
import { mirrorNames } from "../../config/mirror-files.ts";
import type { SettingValues } from "../../config/settings.ts";
import { usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { Request } from "../../wire/exchange.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Connection, MirrorUse } from "../connection.ts";
import { ageText, connectMirror, guardedReading, openMirrorNamed } from "./mirror.ts";

/** A tracker on the network and its login: null without one, undefined if it is unknown. */
export type MirroredAccount = { readonly baseUrl: string; readonly login: string | null | undefined };

type FoundMirror = { readonly name: string; readonly facts: MirrorFacts };

/** The mirrors of an account, by name; those that cannot be read are left out. */
export function mirrorsOf({ baseUrl, login }: MirroredAccount, io: Io): readonly FoundMirror[] {
  return mirrorNames(io)
    .flatMap((name) => found(name, io))
    .filter(({ facts }) => facts.tracker === baseUrl)
    .filter(({ facts }) => (login === undefined ? facts.login !== null : sameLogin(facts.login, login)));
}

function sameLogin(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function found(name: string, io: Io): readonly FoundMirror[] {
  try {
    const opened = openMirrorNamed(name, io);
    const facts = opened.facts();
    opened.close();
    return [{ name, facts }];
  } catch {
    return [];
  }
}

/**
 * The one mirror of an account, for `--offline`.
 * @throws BtError of kind usage if there is none, or several; of kind local if there is none but one cannot be opened
 */
export function mirrorFor(account: MirroredAccount, io: Io): TrackerAddress & { readonly kind: "mirror" } {
  const [only, ...others] = mirrorsOf(account, io);
  const { baseUrl, login } = account;
  const whom = login ? ` as ${login}` : "";
  if (only === undefined) {
    for (const name of mirrorNames(io)) openMirrorNamed(name, io).close(); // one that cannot be opened may be it
    throw usage(`no mirror of ${baseUrl}${whom}`, "to create one while online: bt mirror create NAME");
  }
  if (others.length === 0) return { kind: "mirror", name: only.name };
  const names = [only, ...others].map(({ name }) => `mirror:${name}`);
  throw usage(`several mirrors of ${baseUrl}${whom}`, `choose one: --base-url ${names.join(" or ")}`);
}

/** Hint at the mirror of an account that answers a request, with its age; undefined if there is none. */
export async function mirrorHint(request: Request, account: MirroredAccount, io: Io): Promise<string | undefined> {
  for (const { name, facts } of mirrorsOf(account, io)) {
    if (facts.lastSync === null || !(await answers(name, request, io))) continue;
    const age = ageText(io.now().getTime() - Date.parse(facts.lastSync));
    return `--offline reads from the mirror ${name}, as of ${age} ago`;
  }
  return undefined;
}

async function answers(name: string, request: Request, io: Io): Promise<boolean> {
  const opened = openMirrorNamed(name, io);
  try {
    return (await guardedReading(opened, { name, isPartial: false }, io).exchange(request)).status < 400;
  } catch {
    return false;
  } finally {
    opened.close();
  }
}

const DAY_MS = 24 * 3_600_000;

type MirroredUse = {
  readonly account: MirroredAccount;
  readonly settings: SettingValues;
  readonly use: MirrorUse;
};

/** Session of the mirror of an account; for results one of the whole tracker that is complete and at most a day old. */
export async function connectMirrored(
  { account, settings, use }: MirroredUse,
  io: Io,
): Promise<Connection | undefined> {
  const isForResults = use === "results";
  const usable = mirrorsOf(account, io).find(({ facts }) => !isForResults || isWhole(facts, io));
  return usable && connectMirror({ name: usable.name, isPartial: !isForResults, isQuiet: !isForResults, settings }, io);
}

function isWhole({ lastSync, progress, criteria, publicOnly }: MirrorFacts, { now }: Io): boolean {
  const isRecent = lastSync !== null && now().getTime() - Date.parse(lastSync) < DAY_MS;
  return isRecent && progress === null && criteria === "" && !publicOnly;
}
