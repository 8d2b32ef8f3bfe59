import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { isRejection } from "../facts/row-support.ts";
import { inChunks } from "../lists.ts";
import { EVERY_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { evaluateQuery } from "../query/evaluate.ts";
import { leavesOf, mapLeaves, type Query, type ResolvedTerm } from "../query/tree.ts";
import { readBugs } from "../response/response-objects.ts";
import { type BugSearch, NEWEST_FIRST, type SearchTools, sentPairs, type WantedBugs } from "./bug-search.ts";
import { compileForInterface, MAX_IDS, splitByIds } from "./compile.ts";
import { FIRST_PAGE_SIZE, pageParameters } from "./search-pages.ts";
import { parseOrder } from "./sorting.ts";
import type { WebSearch } from "./web-search.ts";

/**
 * Yields the bugs that match on a server which knows the parameters of the interface alone: all bugs that meet those are
 * read; other conditions, the order and the size of the result are applied here.
 * @throws BtError of kind refused for conditions and orders that bugs do not show, of kind reply if a bug lacks a field
 */
export async function* interfacePages(
  search: BugSearch,
  { include, limit, offset = 0 }: WantedBugs,
  { send, login }: SearchTools,
): AsyncGenerator<Bug[]> {
  const passed = search.passed && interfacePairs(search.passed);
  const me = namesMe(search.query) ? ownLogin(await login()) : undefined;
  const sorting = parseOrder(search.order ?? NEWEST_FIRST, search.catalog);
  const matching: Bug[] = [];
  for (const part of splitByIds(me === undefined ? search.query : withOwnLogin(search.query, me), MAX_IDS)) {
    const compiled = compileForInterface(part);
    const needed = [...compiled.fields, ...sorting.include];
    const fields = [...new Set(["id", ...include, ...needed])].join(",");
    for (const bug of await readAllMatching(passed ?? sentPairs(search, compiled), fields, send)) {
      checkFields(bug, needed);
      if (compiled.rest === undefined || evaluateQuery(compiled.rest, bug, { login: me })) matching.push(bug);
    }
  }
  const places = new Map(matching.map((bug) => [bug, sorting.placeOf(bug)]));
  matching.sort((one, other) => sorting.compare(places.get(one) ?? [], places.get(other) ?? []));
  yield* inChunks(matching.slice(offset, limit === undefined ? undefined : offset + limit), FIRST_PAGE_SIZE);
}

/**
 * A passed search in parameters of the interface.
 * @throws BtError of kind refused for one that these cannot express
 */
export function interfacePairs({ plain, pairs }: WebSearch): Request["query"] {
  if (plain) return plain.length > 0 ? plain : EVERY_BUG;
  const rows = pairs.map((pair) => pair.join("=")).join("&");
  throw new BtError("refused", `this tracker lacks these conditions of Bugzilla's search page: ${rows}`, {
    changed: "nothing",
  });
}

function namesMe(query: Query): boolean {
  return leavesOf(query).some((leaf) => {
    if (leaf.kind === "flag") return [leaf.requestee, leaf.setter].includes(PRONOUNS.me);
    return leaf.kind === "test" && leaf.values.includes(PRONOUNS.me);
  });
}

function ownLogin(login: string | undefined): string {
  if (login !== undefined) return login;
  throw new BtError("auth", "cannot search for @me: your login on this tracker is unknown", {
    hint: "bt config set login LOGIN",
    changed: "nothing",
  });
}

/** A query with a login in place of the word that stands for it. */
function withOwnLogin(query: Query, login: string): Query {
  return mapLeaves(query, (leaf): ResolvedTerm => {
    if (leaf.kind !== "test") return leaf;
    return { ...leaf, values: leaf.values.map((value) => (value === PRONOUNS.me ? login : value)) };
  });
}

function checkFields(bug: Bug, names: string[]): void {
  const missing = names.find((name) => (bug as Readonly<Record<string, unknown>>)[name] === undefined);
  if (missing === undefined) return;
  throw new BtError("reply", `the tracker returned bug ${bug.id} without "${missing}", which this search needs`, {
    changed: "nothing",
  });
}

/** All bugs that meet parameters of the interface; a server that rejects a size or fields gets the parameters alone. */
async function readAllMatching(criteria: Request["query"], fields: string, send: SendRequest): Promise<Iterable<Bug>> {
  try {
    return await readPages([...criteria, ["include_fields", fields]], send);
  } catch (error) {
    if (!isRejection(error)) throw error;
    return readBugs(await send(requestFor(SEARCH_BUGS, criteria)));
  }
}

/**
 * All bugs of a search, each once. `limit=0` means all of them, but a server may have a maximum, or too many for one response:
 * the list is continued until nothing new comes.
 */
async function readPages(query: Request["query"], send: SendRequest): Promise<Iterable<Bug>> {
  const found = new Map<number, Bug>();
  let { bugs, limit } = await readPart(query, { limit: 0, offset: 0 }, send);
  const isTooLong = limit > 0;
  for (let offset = 0; bugs.some(({ id }) => !found.has(id)); ) {
    for (const bug of bugs) found.set(bug.id, bug);
    offset += bugs.length;
    ({ bugs, limit } = await readPart(query, { limit: limit || bugs.length, offset }, send));
  }
  if (isTooLong && bugs.length > 0) throw unreachableError(found.size);
  return found.values();
}

function unreachableError(count: number): BtError {
  return new BtError("reply", `the tracker ignores "offset", so that only the first ${count} bugs can be read`, {
    hint: "add criteria, so that fewer bugs match",
    changed: "nothing",
  });
}

/** Part of a list from an offset on, and the limit with which it fits into a response; 0 is none. */
async function readPart(query: Request["query"], { limit, offset }: Window, send: SendRequest) {
  for (let size = limit; ; size = size === 0 ? FIRST_PAGE_SIZE : Math.ceil(size / 4)) {
    try {
      const response = await send(requestFor(SEARCH_BUGS, [...query, ...pageParameters(size, offset)]));
      return { bugs: readBugs(response), limit: size };
    } catch (error) {
      if (!isTooBig(error) || size === 1) throw error;
    }
  }
}

type Window = { limit: number; offset: number };
