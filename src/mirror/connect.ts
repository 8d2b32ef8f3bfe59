import { EMPTY_STORE } from "../api/fact-store.ts";
import { firstNames } from "../api/lists.ts";
import { isSameLogin } from "../api/people.ts";
import type { FileTrust } from "../config/file-trust.ts";
import { BtError, fileReason, isKind, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type {
  ChosenMirror,
  ConnectedSession,
  MirrorChoice,
  MirroredAccount,
  MirrorReading,
  OwnerChoice,
} from "../session/connected-session.ts";
import { SQLITE_MISSING } from "../session/embedded.ts";
import { marksOnly } from "../session/memory/read-marks.ts";
import { openSession } from "../session/session.ts";
import { judgeSearch, type MirrorCoverage } from "../tracker/mirror/judged-search.ts";
import { type OpenedMirror, openMirror } from "../tracker/mirror/open.ts";
import { UnusableStore } from "../tracker/store/database.ts";
import { EngineMissing } from "../tracker/store/engine.ts";
import { incompleteText } from "../view/mirrors.ts";
import { countText } from "../view/text.ts";
import { clockTime } from "../view/times.ts";
import { type Exchange, isRead, type OperationName, type Request, type Response } from "../wire/exchange.ts";
import { MIRROR_LIMITS, type MirrorFacts, type MirrorLimit } from "../wire/mirror.ts";
import { checkMirrorIsPrivate, existingMirrorPath, isPrivateMirror, listMirrorNames } from "./mirror-files.ts";

/** Texts on the change to a command that makes it reach the tracker of its mirror. */
const WITHOUT = {
  flag: () => "without --offline",
  variable: () => "with BT_OFFLINE=0",
  address: (tracker: string) => `with --base-url ${tracker}`,
} as const satisfies Readonly<Record<MirrorChoice, (tracker: string) => string>>;

/** Error for a command that a mirror cannot serve, whatever it holds. */
export function notTheTrackerError(chosenBy: MirrorChoice): BtError {
  return usageError("this command needs the tracker itself", `run it ${WITHOUT[chosenBy]("ADDRESS")}`);
}

/**
 * Session that reads from a mirror: its address and login are those of the mirrored tracker. Mirrors that were synchronized
 * later are read for what they have all of. When it is closed, it reports the names of the mirrors that were read, and their age.
 * @throws BtError of kind usage if there is no such mirror, of kind local if it cannot be opened
 */
export async function connectMirror(reading: MirrorReading, io: Io): Promise<ConnectedSession> {
  const { name, newer = [], chosenBy, settings } = reading;
  const opened = openMirrorNamed(name, io, reading);
  const facts = opened.facts();
  const whole = readableMirror({ name, opened, whole: facts }, reading, io);
  const others = newer.map((one) =>
    readableMirror({ name: one, opened: openMirrorNamed(one, io, reading), whole: facts }, reading, io),
  );
  const mirrors = [...others, whole];
  const without = WITHOUT[chosenBy](facts.tracker);
  const refusal = () => writeRefusedError(name, facts.tracker, without);
  const session = openSession({
    address: facts.tracker,
    lacksPages: facts.hasPages === false,
    writeRefusal: refusal,
    exchange: async (request) => {
      for (const other of others) if (await other.answers(request)) return other.exchange(request);
      return whole.exchange(request);
    },
    memory: marksOnly(reading.memory ?? EMPTY_STORE),
    refresh: false,
    isInProcess: true,
    settings,
    now: io.now,
    ticks: io.ticks,
    account: async () => ({ state: "logged in", login: facts.login ?? undefined }),
    openWriter: async () => {
      throw refusal();
    },
  });
  const close = async (failure?: unknown) => {
    const withBugs = mirrors.filter(({ read }) => read().has("bugs"));
    const told = withBugs.length > 0 ? withBugs : mirrors.filter(({ read }) => read().size > 0);
    const isTold = isResult(failure) || (withBugs.length > 0 && isKind(failure, "usage")); // such as a user of no bug
    const lines = isTold ? told.flatMap(({ notices }) => notices(failure === undefined)) : [];
    for (const mirror of mirrors) mirror.close();
    await io.err(lines.map((line) => `${line}\n`).join(""));
  };
  return { session, close };
}

/** True for a command that told what it read: one that succeeded, or whose result is negative, missing or has gaps. */
function isResult(failure: unknown): boolean {
  return failure === undefined || isKind(failure, "no", "missing", "partial");
}

/**
 * Opens the mirror of a name.
 * @throws BtError of kind usage if there is none, of kind local if it cannot be opened, of kind guard if others can read it
 */
export function openMirrorNamed(name: string, io: Io, trust: FileTrust = {}): OpenedMirror {
  const file = existingMirrorPath(name, io);
  checkMirrorIsPrivate(name, io, trust);
  try {
    return openMirror(file, { now: io.now, random: (count) => new Uint8Array(count) });
  } catch (error) {
    if (error instanceof EngineMissing)
      throw new BtError("local", error.message, { hint: SQLITE_MISSING, changed: "nothing" });
    const isLost = error instanceof UnusableStore && error.isLost;
    throw new BtError("local", `cannot open the mirror ${name} at ${file}`, {
      hint: isLost ? `to fetch it again: bt mirror drop ${name}, then bt mirror create ${name}` : undefined,
      changed: "nothing",
      details: [fileReason(error)],
    });
  }
}

/** A mirror of a session. */
type ReadableMirror = {
  answers: (request: Request) => Promise<boolean>; // it has all that the request is about
  exchange: Exchange;
  read: () => ReadonlySet<"bugs" | "metadata">; // what was read through it
  notices: (isSuccess: boolean) => string[]; // about what was read through it
  close: () => void;
};

/** A mirror, and the facts of the one that is read for all that it does not have. */
type NamedMirror = { name: string; opened: OpenedMirror; whole: MirrorFacts };

function readableMirror({ name, opened, whole }: NamedMirror, reading: MirrorReading, io: Io): ReadableMirror {
  const { chosenBy, newer = [] } = reading;
  const read = new Set<"bugs" | "metadata">();
  const notes = new Set<string>();
  const absent = new Set<string>();
  const facts = opened.facts();
  const { tracker } = facts;
  const mirror: GuardedMirror = {
    name,
    tracker,
    without: WITHOUT[chosenBy](tracker),
    coverage: opened.coverage(),
    note: (sentence) => notes.add(sentence),
    noteAbsent: (thing) => {
      read.add("bugs");
      if (thing.startsWith("bug")) absent.add(thing);
    },
  };
  const guarded = guardedExchange(opened.exchange, mirror);
  const hasAll = hasBugsOf({ name, facts }, { name, facts: whole });
  return {
    answers: async (request) => {
      if (!isRead(request) || requestLimit(request, mirror)) return false;
      if (request.operation === "Search Bugs") {
        const { undecidable, isWithin } = judgeSearch(request.query, mirror.coverage);
        return undecidable.length === 0 && (hasAll || isWithin);
      }
      if (hasAll || isOf(METADATA, request)) return true;
      return isOf(OF_BUGS_BY_ID, request) && (await opened.exchange(request)).status < 400;
    },
    exchange: async (request) => {
      const response = await guarded(request);
      read.add(isOf(METADATA, request) ? "metadata" : "bugs");
      return response;
    },
    read: () => read,
    notices: (isSuccess) => {
      const lacks = isSuccess && absent.size > 0 ? `not in the mirror: ${firstNames([...absent])}` : "";
      const later = name === reading.name && newer.length > 0 ? `; synchronized later: ${newer.join(", ")}` : "";
      return [`mirror ${name}: ${mirrorNote(opened, reading, io)}${later}`, ...notes, lacks].filter(Boolean);
    },
    close: () => opened.close(),
  };
}

function isOf(operations: ReadonlySet<OperationName>, { operation }: Request): boolean {
  return operation !== undefined && operations.has(operation);
}

/** Operations about the whole tracker, which a mirror of some products answers, too. */
const METADATA: ReadonlySet<OperationName> = new Set([
  "Fields",
  "Get Field",
  "Legal Values",
  "Legal Values of Product",
  "Get Products",
  "Get Product",
  "Get Flag Types",
  "Get Mozilla Flag Types",
  "Parameters",
  "Enterable Products",
]);

const OF_BUGS_BY_ID: ReadonlySet<OperationName> = new Set([
  "Get Bug",
  "Bug History",
  "Get Comments",
  "Get Comments by Id",
  "Get Attachments of Bugs",
  "Get Attachments",
]);

/** Notice about users, of whom a tracker has more than a mirror. */
const OF_BUGS = "users are those that the bugs of the mirror have, without their groups";

/** Notice about tags of comments, whose changes no sync notices. */
const TAGS_AS_READ = "comment tags are those of when each bug was read; tags changed since are missing";

/** Notice about a search that the mirror's word index answered. */
export const BY_WORDS =
  "full text is searched by the mirror's own index; the tracker's ranking, stop words and word boundaries (show_bug) may differ";

/** Note on the part of the tracker that a mirror has, and on its age: "only Lantern; as of 10:40". */
function mirrorNote(opened: OpenedMirror, reading: MirrorReading, { now }: Io): string {
  const { chosenBy, asMirrorOwner, minuteOf } = reading;
  const facts = opened.facts();
  const { products, publicOnly, lastSync, login } = facts;
  const failed = opened.failedBugs();
  return [
    products.length > 0 ? `only ${products.join(", ")}` : "",
    publicOnly ? "only public bugs" : "",
    lastSync === null ? "" : `as of ${clockTime(lastSync, now(), minuteOf)}`,
    incompleteText(facts.progress, facts.lastSync),
    failed > 0 ? `${countText(failed, "bug")} could not be read` : "",
    chosenBy === "address" || asMirrorOwner ? seenBy(login) : "",
  ]
    .filter(Boolean)
    .join("; ");
}

function seenBy(login: string | null): string {
  return `as seen ${login === null ? "without a login" : `by ${login}`}`;
}

type FoundMirror = { name: string; facts: MirrorFacts };

/** The mirrors of an account, by name; those that cannot be read are left out. */
export function readAccountMirrors(account: MirroredAccount, io: Io): FoundMirror[] {
  return readAllMirrors(io).found.filter(({ facts }) => isMirrorOf(facts, account));
}

/** All mirrors, and the errors about those that cannot be opened. */
function readAllMirrors(io: Io): { found: FoundMirror[]; unopened: unknown[] } {
  const unopened: unknown[] = [];
  const found = listMirrorNames(io).flatMap((name) => {
    try {
      return factsOfMirror(openMirrorNamed(name, io, { insecureFiles: true }), name);
    } catch (error) {
      unopened.push(error);
      return [];
    }
  });
  return { found, unopened };
}

/** Facts of an opened mirror, which is closed; none if they cannot be read. */
function factsOfMirror(opened: OpenedMirror, name: string): FoundMirror[] {
  try {
    return [{ name, facts: opened.facts() }];
  } catch {
    return [];
  } finally {
    opened.close();
  }
}

/** True for a mirror of an account; of an unknown login, for those of any login. */
function isMirrorOf(facts: MirrorFacts, { baseUrl, login }: MirroredAccount): boolean {
  if (facts.tracker !== baseUrl) return false;
  return login === undefined ? facts.login !== null : isSameLogin(facts.login, login);
}

/** The mirror with all the bugs that the others have, of several the one with the contents of attachments, and of those the newest. */
function fullestMirror(found: FoundMirror[]): FoundMirror | undefined {
  const fullest = newestFirst(found.filter((one) => found.every((other) => hasBugsOf(one, other))));
  return fullest.find(({ facts }) => facts.attachments === "all") ?? fullest[0];
}

function newestFirst(found: FoundMirror[]): FoundMirror[] {
  return found.toSorted((one, other) => (other.facts.lastSync ?? "").localeCompare(one.facts.lastSync ?? ""));
}

/** Mirrors that were synchronized after another one, newest first, without those that lack hidden bugs. */
function newerMirrors({ facts }: FoundMirror, found: FoundMirror[]): FoundMirror[] {
  const isNewer = (other: MirrorFacts) => (other.lastSync ?? "") > (facts.lastSync ?? "");
  return newestFirst(found).filter(({ facts: other }) => isNewer(other) && (facts.publicOnly || !other.publicOnly));
}

/** True if the bugs of a mirror are among those of the first, once it is complete. */
function hasBugsOf({ facts }: FoundMirror, { facts: other }: FoundMirror): boolean {
  const hasProducts = other.products.length > 0 && other.products.every((name) => facts.products.includes(name));
  return (
    isSameLogin(facts.login, other.login) &&
    (facts.products.length === 0 || hasProducts) &&
    (!facts.publicOnly || other.publicOnly) &&
    (facts.lastSync !== null || other.lastSync === null)
  );
}

/** Which of several mirrors of an account `--offline` reads, after one was created; undefined for the only one. */
export function offlineChoice(created: string, account: MirroredAccount, io: Io): string | undefined {
  const found = readAccountMirrors(account, io);
  if (found.length < 2) return undefined;
  const fullest = fullestMirror(found)?.name;
  if (fullest === undefined)
    return `--offline is refused, since there are several mirrors of ${accountText(account)}; choose one: --base-url ${found
      .map(({ name }) => `mirror:${name}`)
      .join(" or ")}`;
  if (fullest === created) return `--offline reads from the mirror ${created}, which has the most`;
  return `--offline reads what it has from the mirror synchronized last, ${created} or ${fullest}, all else from ${fullest}; --base-url mirror:${created} from this one`;
}

/**
 * The mirror of an account for `--offline`: the only one, or the one with the bugs of all, and those that are newer.
 * @throws BtError of kind usage if there is none, or none of several has the bugs of all; of kind guard if the only one is, or may be, of another login;
 * of kind local if there is none but one cannot be opened
 */
export function findMirrorFor(account: MirroredAccount, io: Io, { asMirrorOwner }: OwnerChoice): ChosenMirror {
  const { found, unopened } = readAllMirrors(io);
  const ofTracker = found.filter(({ facts }) => facts.tracker === account.baseUrl);
  const own = asMirrorOwner ? ofTracker : ofTracker.filter(({ facts }) => isMirrorOf(facts, account));
  const fullest = fullestMirror(own);
  const [only, ...others] = fullest ? [fullest] : own;
  if (only === undefined) throw unopened[0] ?? noMirrorError(account, ofTracker); // one that cannot be opened may be it
  const isOwn = account.login !== undefined && !asMirrorOwner;
  if (others.length === 0) {
    if (isOwn || asMirrorOwner) return { name: only.name, newer: newerMirrors(only, own).map(({ name }) => name) };
    throw otherLoginError(only, account);
  }
  const names = [only, ...others].map((mirror) => (isOwn ? `mirror:${mirror.name}` : addressAndLogin(mirror)));
  const ofWhat = asMirrorOwner ? account.baseUrl : accountText(account);
  throw usageError(`several mirrors of ${ofWhat}`, `choose one: --base-url ${names.join(" or ")}`);
}

function noMirrorError(account: MirroredAccount, ofTracker: FoundMirror[]): BtError {
  const [only, ...others] = ofTracker;
  if (only !== undefined && others.length === 0) return otherLoginError(only, account);
  const whose =
    ofTracker.length > 0 ? `; of another login: --base-url ${ofTracker.map(addressAndLogin).join(" or ")}` : "";
  return usageError(
    `no mirror of ${accountText(account)}`,
    `to create one while online: bt mirror create NAME${whose}`,
  );
}

function otherLoginError({ name, facts }: FoundMirror, { login }: MirroredAccount): BtError {
  const own = "to create your own while online: bt mirror create NAME";
  const [yours, hint] =
    login === undefined
      ? ["the login of your API key is not known", "to store your login while online: bt auth login"]
      : [login === null ? "you have no API key" : `your API key is of ${login}`, own];
  return new BtError("guard", `the mirror ${name} is ${seenBy(facts.login)}, and ${yours}`, {
    hint: `to read it all the same: --as-mirror-owner; ${hint}`,
    changed: "nothing",
  });
}

function accountText({ baseUrl, login }: MirroredAccount): string {
  return login ? `${baseUrl} as ${login}` : baseUrl;
}

function addressAndLogin({ name, facts }: FoundMirror): string {
  return `mirror:${name} (${facts.login ?? "without a login"})`;
}

/** Hint at the mirror of an account, with its age; undefined if there is none. */
export function findMirrorHint(account: MirroredAccount, minuteOf: Io["minuteOf"], io: Io): string | undefined {
  const own = readAccountMirrors(account, io).filter(({ name }) => isPrivateMirror(name, io));
  const read = fullestMirror(own);
  const time = read?.facts.lastSync && clockTime(read.facts.lastSync, io.now(), minuteOf);
  return time ? `--offline reads from the mirror ${read.name}, as of ${time}` : undefined;
}

/** A mirror whose requests are checked. */
export type GuardedMirror = {
  name: string;
  tracker: string; // address of the mirrored tracker
  without: string; // "without --offline": how the same command reaches the tracker
  coverage: MirrorCoverage;
  note: (sentence: string) => void; // called for what a user has to know about a result
  noteAbsent: (name: string) => void; // called for "bug #12" and other things that the mirror lacks
};

/**
 * The exchange of a mirror, with requests refused that its data does not answer: writes, searches by conditions that it
 * cannot decide, and what only the server knows.
 * @throws BtError of kind usage, or missing
 */
export function guardedExchange(exchange: Exchange, mirror: GuardedMirror): Exchange {
  return async (request) => {
    if (!isRead(request)) throw writeRefusedError(mirror.name, mirror.tracker, mirror.without);
    if (request.operation === "Search Bugs") checkSearch(request, mirror);
    const limited = requestLimit(request, mirror);
    const asked = request.operation === undefined ? `"${request.method} ${request.path}"` : "this";
    if (limited) throw undecidableError(asked, mirror, limited);
    if (request.operation === "Get Users") mirror.note(OF_BUGS);
    const response = await exchange(request);
    if (response.status >= 400) checkAbsent(response, mirror);
    return response;
  };
}

/** @throws BtError of kind missing for what the mirror does not have, of kind usage for what needs a login that it is without */
function checkAbsent({ body }: Response, { name, without, noteAbsent }: GuardedMirror): void {
  const { message, code } = JSON.parse(body) as { message: string; code: number };
  if (NEEDS_LOGIN.test(message))
    throw usageError(
      `the mirror ${name} is without a login, and knows neither @me nor users by a part of their names`,
      `run the command ${without}, or make the mirror again with an API key`,
    );
  for (const [pattern, what] of ABSENT) {
    if (!pattern.test(message)) continue;
    const thing = message.replace(pattern, what);
    noteAbsent(thing);
    throw new BtError("missing", `${thing} is not in the mirror ${name}`, {
      hint: `run the command ${without}`,
      bugzillaCode: code,
      changed: "nothing",
    });
  }
}

/** Matches messages to somebody who is not logged in. */
const NEEDS_LOGIN = /^You can't use %user%|^Logged-out users/;

/** Error messages about objects that do not exist, each with the object's name. */
const ABSENT: [RegExp, string][] = [
  [/^Bug #(\S+) does not exist.*$/s, "bug #$1"],
  [/^('.*') is not a valid bug number nor an alias.*$/s, "$1"],
  [/^Attachment #(\S+) does not exist.*$/s, "attachment $1"],
  [/^(\d+) is not a valid comment id.*$/s, "comment $1"],
  [/^There is no user named '(.*?)'.*$/s, "user $1"],
];

/** Error for a write to a mirror. */
export function writeRefusedError(name: string, tracker: string, without: string): BtError {
  return usageError(`the mirror ${name} is read-only`, `to change ${tracker}, run the command ${without}`);
}

function checkSearch({ query }: Request, mirror: GuardedMirror): void {
  const { undecidable, isByWords, absentProduct, absentBugs } = judgeSearch(query, mirror.coverage);
  const [first] = undecidable;
  if (first) throw undecidableError(`"${first.text}"`, mirror, first);
  if (absentProduct !== undefined) {
    const { name, coverage, without } = mirror;
    const message = `${absentProduct} not in the mirror ${name}: only ${coverage.products.join(", ")}`;
    throw usageError(message, `run the command ${without}`); // it would have no bugs, as if there were none
  }
  if (isByWords) mirror.note(BY_WORDS);
  if (query.some(([, value]) => value === "comment_tag")) mirror.note(TAGS_AS_READ);
  const ids = absentBugs.filter((bug) => bug.startsWith("#"));
  if (mirror.coverage.products.length > 0 && ids.length > 0) throw absentBugsError(ids, mirror);
  for (const id of absentBugs) mirror.noteAbsent(`bug ${id}`);
}

/** Error of a search for bugs by their ids that may be of other products. */
function absentBugsError(ids: string[], { name, without }: GuardedMirror): BtError {
  const subject = `${ids.length > 1 ? "bugs" : "bug"} ${firstNames(ids)}`;
  return new BtError("missing", `${subject} ${ids.length > 1 ? "are" : "is"} not in the mirror ${name}`, {
    hint: `run the command ${without}`,
    changed: "nothing",
  });
}

/** The limit of a request; that of the server for one that is no operation of `bt`. */
function requestLimit(request: Request, mirror: GuardedMirror): RequestLimit | undefined {
  if (request.operation === undefined) return { limit: "server" };
  const limits = LIMITED[request.operation] ?? [];
  return limits.find(({ applies = () => true }) => applies(request, mirror.coverage));
}

type RequestLimit = {
  limit: MirrorLimit;
  kind?: "missing"; // commands do without, as on a tracker that does not offer it
  applies?: (request: Request, coverage: MirrorCoverage) => boolean;
};

const SERVER: readonly RequestLimit[] = [{ limit: "server" }];
const CONTENT: readonly RequestLimit[] = [{ limit: "content", kind: "missing", applies: needsContent }];

const LIMITED: Readonly<Partial<Record<OperationName, readonly RequestLimit[]>>> = {
  "Get Last Visits": [{ limit: "visits", kind: "missing" }],
  "Get Group": [
    { limit: "members", applies: needsMembers },
    { limit: "groups", applies: (_, { gaps }) => !gaps.hasGroups() },
  ],
  "Get Users": [{ limit: "members", applies: ({ query }) => query.some(([name]) => name === "groups") }],
  "Get Attachments": CONTENT,
  "Get Attachments of Bugs": CONTENT,
  Login: SERVER,
  Logout: SERVER,
  "Valid Login": SERVER,
  Version: SERVER,
  Time: SERVER,
};

function needsMembers({ query }: Request): boolean {
  return query.some(([name, value]) => name === "membership" && !["", "0"].includes(value));
}

function needsContent({ query }: Request, { gaps }: MirrorCoverage): boolean {
  if (gaps.hasContents) return false;
  const named = (list: string) => query.flatMap(([name, value]) => (name === list ? value.split(",") : []));
  if (named("exclude_fields").includes("data")) return false;
  const included = named("include_fields");
  return included.length === 0 || included.some((name) => ["data", "_all", "_default"].includes(name));
}

function undecidableError(text: string, { without }: GuardedMirror, { limit, kind }: RequestLimit): BtError {
  return new BtError(kind ?? "usage", `a mirror cannot answer ${text}: ${MIRROR_LIMITS[limit].reason}`, {
    hint: `run the command ${without}`,
    changed: "nothing",
  });
}
