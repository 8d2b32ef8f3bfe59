import type { FileTrust } from "../../config/file-trust.ts";
import { checkMirrorIsPrivate, existingMirror } from "../../config/mirror-files.ts";
import type { SettingValues } from "../../config/settings.ts";
import { BtError, fileReason, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { type OpenedMirror, openMirror } from "../../tracker/mirror/open.ts";
import { UnusableStore } from "../../tracker/store/database.ts";
import { EngineMissing } from "../../tracker/store/engine.ts";
import { incompleteText } from "../../view/mirrors.ts";
import { countText } from "../../view/text.ts";
import type { Exchange, Request } from "../../wire/exchange.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Connection } from "../connection.ts";
import { SQLITE_MISSING } from "../embedded.ts";
import { marksOf } from "../memory/read-marks.ts";
import { type FactStore, openSession } from "../session.ts";
import { ageText } from "./mirror-age.ts";
import type { mirrorPairs } from "./mirror-criteria.ts";
import { guardedExchange, readOnly } from "./mirror-guard.ts";

/** A mirror to read from, and the settings of the session. */
export type MirrorReading = FileTrust & {
  readonly name: string;
  readonly isPartial: boolean; // results may lack bugs that the mirror does not hold
  readonly chosenBy?: MirrorChoice; // default: the flag
  readonly isQuiet?: boolean; // reports no age
  readonly isLoginKnown?: boolean | undefined; // default: true; else the login of the mirror is reported
  readonly memory?: FactStore | undefined; // of the account, for the bugs that it has read
  readonly settings: SettingValues;
};

/** Part of a command that makes it read from a mirror: `--offline`, BT_OFFLINE, or an address. */
export type MirrorChoice = keyof typeof WITHOUT;

/** Texts on the change to a command that makes it reach the tracker of its mirror. */
const WITHOUT = {
  flag: () => "without --offline",
  variable: () => "with BT_OFFLINE=0",
  address: (tracker: string) => `with --base-url ${tracker}`,
} as const;

/** Error for a command that a mirror cannot serve, whatever it holds. */
export function notTheTracker(chosenBy: MirrorChoice): BtError {
  return usage("this command needs the tracker itself", `run it ${WITHOUT[chosenBy]("ADDRESS")}`);
}

/**
 * Session that reads from a mirror: its address and login are those of the mirrored tracker. When it is closed, it
 * reports the age of what was read.
 * @throws BtError of kind usage if there is no such mirror, of kind local if it cannot be opened
 */
export async function connectMirror(reading: MirrorReading, io: Io): Promise<Connection> {
  const { name, isQuiet = false, chosenBy = "flag", settings } = reading;
  const opened = openMirrorNamed(name, io, reading);
  const facts = opened.facts();
  const way = guardedReading(opened, reading, io);
  const without = WITHOUT[chosenBy](facts.tracker);
  const refusal = () => readOnly({ name, tracker: facts.tracker, without });
  const session = openSession({
    address: facts.tracker,
    lacksPages: facts.hasPages === false,
    mirror: {
      name,
      readOnly: refusal,
      requireAllBugs: () => checkHasAll(opened, reading),
    },
    exchange: way.exchange,
    metadata: { read: async () => undefined, write: async () => undefined },
    memory: marksOf(reading.memory ?? { read: async () => undefined, write: async () => undefined }),
    refresh: false,
    isEmbedded: true,
    settings,
    now: io.now,
    ticks: io.ticks,
    login: async () => facts.login ?? undefined,
    writing: async () => {
      throw refusal();
    },
  });
  const close = async (failure?: unknown) => {
    const notices = isResult(failure) && !isQuiet ? way.notices() : [];
    opened.close();
    await io.err(notices.map((line) => `${line}\n`).join(""));
  };
  return { session, close };
}

/** True for a command that printed what it read: one that succeeded, or whose result is negative or has gaps. */
function isResult(failure: unknown): boolean {
  return failure === undefined || (failure instanceof BtError && ["no", "partial"].includes(failure.kind));
}

/**
 * Opens the mirror of a name.
 * @throws BtError of kind usage if there is none, of kind local if it cannot be opened, of kind guard if others can read it
 */
export function openMirrorNamed(name: string, io: MirrorHost, trust: FileTrust = {}): OpenedMirror {
  const file = existingMirror(name, io);
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

type MirrorHost = Pick<Io, "env" | "platform" | "now" | "uid">;

/** The part of a reading that its checks and notices depend on. */
type MirrorManner = Pick<MirrorReading, "name" | "isPartial" | "chosenBy" | "isLoginKnown">;

type Reading = { readonly exchange: Exchange; readonly notices: () => readonly string[] };

/** Exchange of a mirror with its checks, and the notices about what was read through it. */
export function guardedReading(opened: OpenedMirror, manner: MirrorManner, io: Pick<Io, "now">): Reading {
  const { name, isPartial, chosenBy = "flag" } = manner;
  let isRead = false;
  let isByWords = false;
  const facts = opened.facts();
  const exchange = guardedExchange(opened.exchange, {
    name,
    tracker: facts.tracker,
    without: WITHOUT[chosenBy](facts.tracker),
    criteria: facts.criteria,
    coverage: opened.coverage(),
    lacks: partText(facts),
    pairs: criteriaPairs(name, opened, io),
    isPartial,
    noteWords: () => {
      isByWords = true;
    },
  });
  return {
    exchange: async (request) => {
      const reply = await exchange(request);
      isRead = true;
      return reply;
    },
    notices: () => (isRead ? [...ageNotices(opened, manner, io), ...(isByWords ? [BY_WORDS] : [])] : []),
  };
}

/** Notice about a search that the mirror's word index answered. */
export const BY_WORDS =
  "full text is searched by the mirror's own index; the tracker's ranking, stop words and word boundaries (show_bug) may differ";

/** Lines on the age of a mirror and on what it lacks. */
function ageNotices(opened: OpenedMirror, manner: MirrorManner, io: Pick<Io, "now">): readonly string[] {
  const { isPartial, isLoginKnown = true } = manner;
  const facts = opened.facts();
  const { login, lastSync, publicOnly, criteria } = facts;
  const failed = opened.failedBugs();
  const parts = [
    ...(lastSync === null ? [] : [ageText(lastSync, io)]),
    ...(isLoginKnown ? [] : [`as seen by ${login}, which may not be the login of your API key`]),
    ...(publicOnly ? ["public bugs only"] : []),
    ...(isPartial && criteria !== "" ? [`only ${criteria}`] : []),
    ...(failed > 0 ? [`without ${countText(failed, "bug")} that could not be read`] : []),
  ];
  return [...(parts.length > 0 ? [parts.join(", ")] : []), incompleteText(facts)].filter(Boolean);
}

/** @throws BtError of kind usage if the mirror lacks bugs that a sync has not read yet, unless that is accepted */
function checkHasAll(opened: OpenedMirror, { name, isPartial }: MirrorManner): void {
  const text = incompleteText(opened.facts());
  if (text === "" || isPartial) return;
  throw usage(
    `the mirror ${name} is ${text}`,
    `bt mirror sync ${name} completes it; --partial decides by the bugs that it has`,
  );
}

/** The part of a tracker that a mirror has: "product = Lantern, public bugs only"; "" if it has all that its login saw. */
function partText(facts: MirrorFacts): string {
  return [facts.criteria, facts.publicOnly ? "public bugs only" : "", incompleteText(facts)].filter(Boolean).join(", ");
}

/**
 * Reader of a mirror's criteria as parameters of a search, in UTC; it gives undefined for all bugs.
 * @throws BtError of kind missing if they are no longer valid on the tracker
 */
export function criteriaPairs(
  name: string,
  opened: OpenedMirror,
  { now }: Pick<Io, "now">,
): () => Promise<Request["query"] | undefined> {
  const { criteria, login } = opened.facts();
  let read: Promise<Request["query"]> | undefined;
  return async () => {
    if (criteria === "") return undefined;
    read ??= readPairs(opened.exchange, { name, criteria, login, now: now() });
    return read;
  };
}

async function readPairs(...asked: Parameters<typeof mirrorPairs>): Promise<Request["query"]> {
  return (await import("./mirror-criteria.ts")).mirrorPairs(...asked);
}
