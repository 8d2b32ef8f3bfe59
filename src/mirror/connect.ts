import { EMPTY_STORE } from "../api/facts.ts";
import { isSameLogin } from "../api/people.ts";
import { BtError, isKind, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { MirrorChoice, MirroredAccount } from "../session/connect.ts";
import { printedZone } from "../session/flags.ts";
import { note } from "../session/note.ts";
import { type Connection, openConnection } from "../session/session.ts";
import { clockTime } from "../view/times.ts";
import { pagesAddress } from "../wire/exchange.ts";
import { mirrorExchange, readOnlyError } from "./exchange.ts";
import { listMirrorNames, openMirror } from "./files.ts";
import { mirrorSearches, type SearchedMirror } from "./search.ts";
import type { Facts } from "./store.ts";

/**
 * Session that reads from a mirror: its address and login are those of the mirrored tracker. When it is closed, it reports the
 * mirror and its age.
 * @throws BtError of kind usage if there is no such mirror, or no mirror will do; of kind local if it cannot be opened
 */
export async function connectMirror(choice: MirrorChoice, io: Io): Promise<Connection> {
  const { flags, account, settings, memory = EMPTY_STORE, needs } = choice;
  const withoutMirror = flags.offline ? "without --offline" : "with BT_OFFLINE=0";
  const toReach = (tracker: string) => (account ? withoutMirror : `with --base-url ${tracker}`);
  if (needs.tracker) throw usageError("this command needs the tracker itself", `run it ${toReach("ADDRESS")}`);
  const name = account ? findMirrorName(account, io) : (choice.name ?? "");
  const store = openMirror(name, io, flags.insecureFiles);
  const facts = store.facts();
  let isRead = false;
  const noteRead = () => {
    isRead = true;
  };
  const mirror: SearchedMirror = { store, now: io.now(), name, toReachTracker: toReach(facts.tracker), noteRead };
  if (needs.writes) {
    store.close();
    throw readOnlyError(mirror);
  }
  return openConnection({
    address: facts.tracker,
    settings,
    io,
    account: async () => ({ state: "mirrored", login: facts.login ?? undefined }),
    exchange: mirrorExchange(mirror),
    searches: mirrorSearches(mirror),
    memory,
    webAddress: () => (facts.hasPages ? pagesAddress(facts.tracker) : undefined),
    openJournal: async () => {
      throw readOnlyError(mirror);
    },
    close: async (failure) => {
      store.close();
      const hasOutput = failure === undefined || isKind(failure, "no", "missing", "partial");
      if (!isRead || !hasOutput) return;
      const parts = contentAndAge(facts, io.now(), printedZone(io, settings));
      if (!account) parts.push(viewOf(facts));
      await note(io, `mirror ${name}: ${parts.join("; ")}`);
    },
  });
}

/** The part of the tracker that a mirror has, and its age: "only Lantern", "as of 10:40". */
function contentAndAge({ products, lastSync }: Facts, now: Date, zone: string): string[] {
  const age = lastSync === null ? "incomplete" : `as of ${clockTime(lastSync, now, zone)}`;
  return products.length > 0 ? [`only ${products.join(", ")}`, age] : [age];
}

/** Whose view of the tracker a mirror has: "as seen by priya@example.org". */
function viewOf({ login }: Facts): string {
  return `as seen ${login === null ? "without a login" : `by ${login}`}`;
}

/** A mirror, and its facts; or why it cannot be opened. */
export type FoundMirror = { readonly name: string } & (
  | { readonly facts: Facts; readonly bugs: number }
  | { readonly error: BtError }
);

/** All mirrors, by name. */
export function readMirrors(io: Io, insecureFiles = true): FoundMirror[] {
  return listMirrorNames(io).map((name) => {
    try {
      const store = openMirror(name, io, insecureFiles);
      try {
        const [bugs = 0] = store.database.values("SELECT count(*) FROM bug");
        return { name, facts: store.facts(), bugs };
      } finally {
        store.close();
      }
    } catch (error) {
      if (error instanceof BtError) return { name, error };
      throw error;
    }
  });
}

/**
 * Name of the mirror of an account, for `--offline`.
 * @throws BtError of kind usage if there is none, of kind guard if it is, or may be, of another login
 */
function findMirrorName({ baseUrl, login }: MirroredAccount, io: Io): string {
  const mirrors = readMirrors(io);
  const ofTracker = mirrorsOf(baseUrl, mirrors);
  const own = ofTracker.find(({ facts }) => login !== undefined && isSameLogin(facts.login, login));
  if (own) return own.name;
  const [other] = ofTracker;
  const [unopened] = mirrors.flatMap((mirror) => ("error" in mirror ? [mirror.error] : []));
  if (!other) throw unopened ?? usageError(`no mirror of ${baseUrl}`, "to create one: bt mirror create NAME");
  const you = login === undefined ? "your login is not known" : `you are ${login ?? "nobody"}`;
  throw new BtError("guard", `the mirror ${other.name} is ${viewOf(other.facts)}, but ${you}`, {
    hint: `bt auth login, or --base-url mirror:${other.name} to read it as it is`,
  });
}

/** The mirrors of a tracker, of any login, that could be opened. */
export function mirrorsOf(baseUrl: string, mirrors: readonly FoundMirror[]) {
  return mirrors.flatMap((mirror) => ("facts" in mirror && mirror.facts.tracker === baseUrl ? [mirror] : []));
}
