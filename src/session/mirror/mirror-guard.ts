import { BtError, usage } from "../../errors.ts";
import { type JudgedSearch, judgeSearch, type MirrorCoverage } from "../../tracker/mirror/question.ts";
import { type Exchange, isRead, type OperationName, type Reply, type Request } from "../../wire/exchange.ts";
import { MIRROR_LIMITS, type MirrorLimit } from "../../wire/mirror-limits.ts";
import { notHeld, type ObjectNoun } from "./not-held.ts";

/** A mirror whose requests are checked. */
export type GuardedMirror = {
  readonly name: string;
  readonly tracker: string; // address of the mirrored tracker
  readonly without: string; // "without --offline": how the same command reaches the tracker
  readonly criteria: string; // as an expression; "" for all bugs
  readonly coverage: MirrorCoverage;
  readonly lacks: string; // the part of the tracker that it has; "" for all that its login saw
  readonly pairs: () => Promise<Request["query"] | undefined>; // the criteria as parameters of a search
  readonly isPartial: boolean; // answers from what is there are accepted
  readonly noteWords: () => void; // called for a search by the word index
};

/**
 * The exchange of a mirror, with requests refused that its data does not answer: writes, searches outside its criteria
 * or by conditions that it cannot decide, and objects that it does not hold.
 * @throws BtError of kind usage, or missing
 */
export function guardedExchange(exchange: Exchange, mirror: GuardedMirror): Exchange {
  return async (given) => {
    const isOfUser = given.operation === undefined;
    const request = isOfUser ? (await knownOperations()).withOperation(given) : given;
    if (!isRead(request)) throw readOnly(mirror);
    await check(request, mirror, isOfUser);
    return checked(await exchange(request), request, mirror);
  };
}

/** The table of all operations, which the usual searches do without. */
function knownOperations() {
  return import("../../api/operations/known-operations.ts");
}

/** Error for a write to a mirror. */
export function readOnly({ name, tracker, without }: Pick<GuardedMirror, "name" | "tracker" | "without">): BtError {
  return usage(`the mirror ${name} is read-only`, `to change ${tracker}, run the command ${without}`);
}

async function check(request: Request, mirror: GuardedMirror, isOfUser: boolean): Promise<void> {
  const { operation } = request;
  if (operation === "Search Bugs") {
    if (!isOfUser && isLookUp(request)) return undefined;
    const criteria = mirror.isPartial ? undefined : await mirror.pairs();
    return checkSearch(judgeSearch([request.query, criteria], mirror.coverage), mirror);
  }
  const limit = operation === undefined ? UNKNOWN : limitOfRequest(request, operation, mirror);
  if (limit) throw undecidable(`${request.method} ${request.path}`, mirror, limit);
  const objects = NAMED_OBJECTS[operation ?? ""];
  if (objects) await checkObjects(request, objects, mirror);
}

async function checkObjects(request: Request, objects: NamedObjects, mirror: GuardedMirror): Promise<void> {
  const { noun, path, query, isHeld } = objects;
  const { [path]: inPath = "" } = (await knownOperations()).pathValues(request);
  const named = [inPath, ...request.query.flatMap(([name, value]) => (name === query ? value.split(",") : []))];
  const missing = named.find((name) => name !== "" && !isHeld(name, mirror));
  if (missing !== undefined) throw notHeld({ noun, name: missing }, mirror);
}

/**
 * True for searches by number that are no question of the user: titles of related bugs, and those of several given bugs
 * that are there. Others are reported as missing.
 */
function isLookUp({ query }: Request): boolean {
  const named = new Map(query);
  const isById = !query.some(([name]) => /^(?:[fovnj]\d|quicksearch)/.test(name)) && named.has("id");
  return isById || (named.get("j_top") === "OR" && named.get("include_fields") === "id,alias");
}

const UNKNOWN: RequestLimit = { limit: "server" };

/** Objects that a request names by id, in its path or in a list, and which of them the mirror answers for. */
type NamedObjects = {
  readonly noun: ObjectNoun;
  readonly path: string;
  readonly query: string;
  readonly isHeld: (name: string, mirror: GuardedMirror) => boolean;
};

const HELD_BUGS = {
  noun: "bug",
  query: "ids",
  isHeld: (name: string, { coverage }: GuardedMirror) => coverage.kept(name)?.state === "held",
} as const;

/** Comments and attachments that a mirror of all does not have are not on the tracker, which its own response tells. */
const isHeldOrMissing =
  (noun: "comment" | "attachment") =>
  (id: string, { coverage, lacks }: GuardedMirror): boolean =>
    lacks === "" || coverage.has(noun, Number(id));

const NAMED_OBJECTS: Readonly<Partial<Record<string, NamedObjects>>> = {
  "Bug History": { ...HELD_BUGS, path: "id" },
  "Get Comments": { ...HELD_BUGS, path: "id_or_alias" },
  "Get Attachments of Bugs": { ...HELD_BUGS, path: "id" },
  "Get Comments by Id": {
    ...{ noun: "comment", path: "comment_id", query: "comment_ids" },
    isHeld: isHeldOrMissing("comment"),
  },
  "Get Attachments": {
    ...{ noun: "attachment", path: "attachment_id", query: "attachment_ids" },
    isHeld: isHeldOrMissing("attachment"),
  },
} satisfies Partial<Record<OperationName, NamedObjects>>;

function limitOfRequest(request: Request, operation: OperationName, mirror: GuardedMirror): RequestLimit | undefined {
  const limit = LIMITED[operation];
  if (limit === undefined) return undefined;
  const { isIncomplete = false, applies = () => true } = limit;
  return (isIncomplete && mirror.isPartial) || !applies(request, mirror) ? undefined : limit;
}

type RequestLimit = {
  readonly limit: MirrorLimit;
  readonly kind?: "missing"; // commands do without, as on a tracker that does not offer it
  readonly isIncomplete?: true; // the mirror has part of it
  readonly applies?: (request: Request, mirror: GuardedMirror) => boolean;
};

const LIMITED: Readonly<Partial<Record<OperationName, RequestLimit>>> = {
  "Get Users": { limit: "accounts", isIncomplete: true },
  "Search Comment Tags": { limit: "tags", isIncomplete: true },
  "Get Last Visits": { limit: "visits", kind: "missing" },
  "Get Group": { limit: "members", applies: asksForMembers },
  "Get Attachments": { limit: "content", applies: asksForContent },
  "Get Attachments of Bugs": { limit: "content", applies: asksForContent },
  Login: { limit: "server" },
  Logout: { limit: "server" },
  "Valid Login": { limit: "server" },
  Version: { limit: "server" },
  Time: { limit: "server" },
};

function asksForMembers({ query }: Request): boolean {
  return query.some(([name, value]) => name === "membership" && !["", "0"].includes(value));
}

function asksForContent({ query }: Request, { coverage }: GuardedMirror): boolean {
  if (coverage.gaps.hasContents) return false;
  const named = (list: string) => query.flatMap(([name, value]) => (name === list ? value.split(",") : []));
  if (named("exclude_fields").includes("data")) return false;
  const included = named("include_fields");
  return included.length === 0 || included.some((name) => ["data", "_all", "_default"].includes(name));
}

function checkSearch(search: JudgedSearch | undefined, mirror: GuardedMirror): void {
  const [first] = search?.undecidable ?? [];
  if (first) throw undecidable(first.text, mirror, first);
  if (search?.isByWords) mirror.noteWords();
  if (search === undefined || search.isInside || mirror.isPartial) return;
  throw new BtError("usage", `the mirror ${mirror.name} may lack bugs that this search finds`, {
    hint: `--partial searches only its bugs; ${mirror.without}, the tracker is searched`,
    details: [`search: ${search.text}`, `mirror: ${mirror.criteria}`],
    changed: "nothing",
    beyondMirror: "request",
  });
}

function undecidable(
  text: string,
  { without }: Pick<GuardedMirror, "without">,
  { limit, kind }: Pick<RequestLimit, "limit" | "kind">,
): BtError {
  return new BtError(kind ?? "usage", `a mirror cannot answer "${text}": ${MIRROR_LIMITS[limit].reason}`, {
    hint: `run the command ${without}`,
    changed: "nothing",
    beyondMirror: "request",
  });
}

/** The reply, unless it is about something that is not in the mirror: the tracker may have it. */
function checked(reply: Reply, request: Request, mirror: GuardedMirror): Reply {
  if (request.operation === "Get Group" && hasNoGroups(reply))
    throw undecidable(`GET ${request.path}`, mirror, { limit: "groups" });
  if (reply.status >= 400) checkError(reply, request, mirror);
  return reply;
}

function checkError({ body }: Reply, { operation }: Request, mirror: GuardedMirror): void {
  const { code = 0, message = "" } = JSON.parse(body) as { readonly code?: number; readonly message?: string };
  const limit = operation === "Search Bugs" ? LIMITED_SEARCHES[code] : undefined;
  if (limit) throw undecidable(message, mirror, { limit });
  if (NAMING_NO_BUG.has(operation) || !MISSING.has(code)) return;
  const [, alias, id = ""] = /'(.+)' is not|bug #([\w-]+)/i.exec(message) ?? [];
  throw notHeld({ noun: "bug", name: alias ?? id, bugzillaCode: code }, mirror);
}

/** Operations whose paths are those of a bug without naming one; no mirror has the latter. */
const NAMING_NO_BUG: ReadonlySet<OperationName | undefined> = new Set(["Search Bugs", "Possible Duplicates"] as const);

/** True if no group is in the mirror, or not the named one: most logins may not read them. */
function hasNoGroups({ status, body }: Reply): boolean {
  return status === 404 || body === '{"groups":[]}';
}

/** Codes of failed searches: an unknown field, and an unknown user. */
const LIMITED_SEARCHES: Readonly<Record<number, MirrorLimit>> = { 108: "field", 51: "person" };

const MISSING: ReadonlySet<number> = new Set([100, 101, 102]); // alias, bug, or visible bug
