import { BtError, usage } from "../errors.ts";
import { judgeSearch, type MirrorCoverage } from "../tracker/mirror/judged-search.ts";
import { type Exchange, isRead, type OperationName, type Request } from "../wire/exchange.ts";
import { MIRROR_LIMITS, type MirrorLimit } from "../wire/mirror.ts";

/** A mirror whose requests are checked. */
export type GuardedMirror = {
  readonly name: string;
  readonly tracker: string; // address of the mirrored tracker
  readonly without: string; // "without --offline": how the same command reaches the tracker
  readonly coverage: MirrorCoverage;
  readonly noteWords: () => void; // called for a search by the word index
};

/**
 * The exchange of a mirror, with requests refused that its data does not answer: writes, searches by conditions that it
 * cannot decide, and what only the server knows.
 * @throws BtError of kind usage, or missing
 */
export function guardedExchange(exchange: Exchange, mirror: GuardedMirror): Exchange {
  return async (request) => {
    if (!isRead(request)) throw readOnly(mirror.name, mirror.tracker, mirror.without);
    if (request.operation === "Search Bugs") checkSearch(request, mirror);
    const limited = limitOf(request, mirror);
    if (limited) throw undecidable(`${request.method} ${request.path}`, mirror, limited);
    return exchange(request);
  };
}

/** Error for a write to a mirror. */
export function readOnly(name: string, tracker: string, without: string): BtError {
  return usage(`the mirror ${name} is read-only`, `to change ${tracker}, run the command ${without}`);
}

function checkSearch({ query }: Request, mirror: GuardedMirror): void {
  const { undecidable: conditions, isByWords } = judgeSearch(query, mirror.coverage);
  const [first] = conditions;
  if (first) throw undecidable(first.text, mirror, first);
  if (isByWords) mirror.noteWords();
}

/** The limit of a request; that of the server for one that is no operation of `bt`. */
function limitOf(request: Request, mirror: GuardedMirror): RequestLimit | undefined {
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
const CONTENT: readonly RequestLimit[] = [{ limit: "content", applies: needsContent }];

const LIMITED: Readonly<Partial<Record<OperationName, readonly RequestLimit[]>>> = {
  "Get Last Visits": [{ limit: "visits", kind: "missing" }],
  "Get Group": [
    { limit: "members", applies: needsMembers },
    { limit: "groups", applies: (_, { gaps }) => !gaps.hasGroups() },
  ],
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

function undecidable(text: string, { without }: GuardedMirror, { limit, kind }: RequestLimit): BtError {
  return new BtError(kind ?? "usage", `a mirror cannot answer "${text}": ${MIRROR_LIMITS[limit].reason}`, {
    hint: `run the command ${without}`,
    changed: "nothing",
  });
}
