import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { CONCURRENCY } from "../concurrency.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";

/** A stretch of bug numbers: from the first, which is in it, up to the second, which is not. Without an end it is open. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };

/** A search, ready to be asked page by page. */
export type SearchPlan = {
  /** The criteria as query pairs, narrowed to the bugs of a stretch. */
  readonly criteria: (range: IdRange) => Request["query"];
  /** The part of the criteria that the server cannot decide. */
  readonly keep?: ((bug: Bug) => boolean) | undefined;
  readonly needs?: readonly string[]; // the fields that `keep` looks at
  readonly include: readonly string[]; // the fields that are wanted
  readonly isOldestFirst?: boolean | undefined;
  readonly limit?: number | undefined; // undefined: all
  readonly offset?: number | undefined; // how many of the first are left out
};

/** How many bugs the first request asks for: enough to cost a server little more than its bugs, and soon there. */
export const FIRST_PAGE_SIZE = 1000;

/** How many bugs later requests ask for. */
const FULL_PAGE_SIZE = 2500;

/** So many characters an answer should have at most: two are held at once, with what is made of them. */
const PAGE_LENGTH = 2_000_000;

/** A stretch is made as wide as this share of a page seems to need, so that few answers are cut. */
const FILL = 0.8;

/**
 * Gives every bug of a search exactly once, page by page, by number. A server cuts answers at a maximum that it does not
 * tell, so only an answer shorter than one it has already given, or an empty one, is the end. Pages are stretches of bug
 * numbers that do not overlap, so bugs made or changed meanwhile neither hide nor repeat others, and two can be asked for
 * at once.
 */
export async function* searchPages(
  plan: SearchPlan,
  ask: SendRequest,
  memory: PageMemory,
): AsyncGenerator<readonly Bug[]> {
  const known = await memory.longest();
  const walk: Walk = {
    ...{ plan, ask, asked: [], ahead: {}, density: 0 },
    ...{ longest: known, cap: FULL_PAGE_SIZE, most: FULL_PAGE_SIZE, aim: FULL_PAGE_SIZE },
    ...{ left: plan.limit ?? Number.POSITIVE_INFINITY, skip: plan.offset ?? 0 },
  };
  while (walk.left > 0) {
    askAhead(walk);
    const next = walk.asked.shift();
    if (next === undefined) break;
    const answer = await next.answer;
    const page = take(answer.bugs, { ...next, size: answer.size }, walk);
    askAhead(walk);
    if (page.length > 0) yield page;
  }
  if (walk.longest > known) await memory.remember(walk.longest);
}

type Walk = {
  readonly plan: SearchPlan;
  readonly ask: SendRequest;
  readonly asked: Page[]; // under way, in the order in which they are read
  ahead: IdRange | undefined; // what was not asked for yet
  density: number; // bugs per number in what was read last
  longest: number; // the longest answer: the server gives at least so many
  most: number; // asked for in one request, since more were too much
  aim: number; // so many fill an answer as far as is wished
  cap: number; // where answers were seen to be cut
  left: number; // bugs still wanted
  skip: number; // bugs still to be left out
};

type Page = {
  readonly range: IdRange;
  readonly size: number;
  readonly cut: number | undefined; // how long the answer was of which this is the rest
  readonly answer: Promise<Answer>;
};

/** The bugs of an answer, and how many were asked for. */
type Answer = { readonly bugs: readonly Bug[]; readonly size: number };

function askAhead(walk: Walk): void {
  while (walk.ahead !== undefined && walk.left > 0 && wantsMore(walk)) {
    const { asked, rest } = divided(walk.ahead, walk);
    walk.ahead = rest;
    walk.asked.push(askPage(asked, walk));
  }
}

/** A second request goes out only when its answer can be judged alone, and only for bugs that are wanted. */
function wantsMore(walk: Walk): boolean {
  const { asked, plan, left, skip } = walk;
  const coming = plan.keep ? 0 : asked.reduce((sum, { size }) => sum + size, 0);
  return asked.length === 0 || (asked.length < CONCURRENCY && knowsPages(walk) && left + skip > coming);
}

/** Whether the server is known to give whole pages, so that a shorter answer is short for lack of bugs. */
function knowsPages({ longest, cap }: Walk): boolean {
  return longest >= cap;
}

/** The part of a stretch that one answer should hold, and the rest. Upwards nobody knows where the numbers end. */
function divided(range: IdRange, walk: Walk): { readonly asked: IdRange; readonly rest: IdRange | undefined } {
  const { below, from = 1 } = range;
  if (below === undefined || walk.plan.isOldestFirst || !knowsPages(walk) || walk.density === 0) {
    return { asked: range, rest: undefined };
  }
  const start = below - Math.max(1, Math.floor((Math.min(walk.cap, walk.most, walk.aim) * FILL) / walk.density));
  if (start <= from) return { asked: range, rest: undefined };
  return { asked: { from: start, below }, rest: { ...range, below: start } };
}

function askPage(range: IdRange, walk: Walk, cut?: number): Page {
  const { plan, skip, left } = walk;
  const isFirst = range.from === undefined && range.below === undefined;
  const size = Math.min(walk.most, walk.aim, isFirst ? FIRST_PAGE_SIZE : FULL_PAGE_SIZE);
  const limit = plan.keep ? size : Math.min(size, left);
  const offset = isFirst && skip > 0 && !plan.keep ? skip : 0;
  if (offset > 0) walk.skip = 0;
  const request = (most: number) =>
    requestFor(SEARCH_BUGS, [
      ...plan.criteria(range),
      ["include_fields", includedFields(plan)],
      ["order", plan.isOldestFirst ? "bug_id" : "bug_id DESC"],
      ["limit", String(most)],
      ...(offset > 0 ? [["offset", String(offset)] as const] : []),
    ]);
  const answer = whatFits(request, limit, walk);
  answer.catch(() => undefined); // a failure is met when its turn comes, after the pages before it were used
  return { range, size: limit, cut, answer };
}

/** Asks for fewer and fewer bugs until the answer is not larger than allowed; later pages begin with what was right. */
async function whatFits(request: (most: number) => Request, size: number, walk: Walk): Promise<Answer> {
  try {
    return { bugs: readBugs(await walk.ask(request(size))), size };
  } catch (error) {
    if (!isTooBig(error) || size < 2) throw error;
    walk.most = Math.min(walk.most, Math.ceil(size / 4));
    return whatFits(request, walk.most, walk);
  }
}

/** What a plan asks for of each bug: always its number, by which everything is accounted for. */
export function includedFields({ include, needs = [] }: Pick<SearchPlan, "include" | "needs">): string {
  return [...new Set(["id", ...include, ...needs])].join(",");
}

/** Moves past an answer and gives the bugs of it that are wanted. Whether it was cut is told by its length as it came. */
function take(answer: readonly Bug[], page: Page, walk: Walk): readonly Bug[] {
  const bugs = distinctBugs(answer);
  const ids = idsIn(bugs, page.range, walk.plan);
  const rest = isWhole(ids, answer.length, { page, walk }) ? undefined : restOf(ids, page.range, walk.plan);
  learn(ids, rest === undefined ? page : { ...page, range: {} }, walk);
  if (bugs.length > 0) walk.aim = Math.ceil(PAGE_LENGTH / lengthOf(bugs));
  const wanted = walk.plan.keep ? bugs.filter(walk.plan.keep) : bugs;
  const taken = wanted.slice(walk.skip, walk.skip + walk.left);
  walk.skip -= Math.min(walk.skip, wanted.length);
  walk.left -= taken.length;
  if (rest !== undefined && walk.left > 0) goOn(rest, page.size > answer.length ? answer.length : undefined, walk);
  return taken;
}

/** How long a bug of these is as text, about. */
function lengthOf(bugs: readonly Bug[]): number {
  const some = [bugs[0], bugs[bugs.length >> 1], bugs.at(-1)];
  return JSON.stringify(some).length / some.length;
}

/** What an answer tells of the server and of the bugs: where it cuts, how much it gives, how close the numbers lie. */
function learn(ids: readonly number[], { cut = FULL_PAGE_SIZE, range }: Pick<Page, "cut" | "range">, walk: Walk): void {
  if (ids.length === 0) return;
  walk.cap = Math.min(walk.cap, cut);
  walk.longest = Math.max(walk.longest, ids.length);
  walk.density = ids.length / spanOf(ids, range);
}

/** What an answer left out comes before everything behind it; when it seems to have been cut, that is found out first. */
function goOn(rest: IdRange, cut: number | undefined, walk: Walk): void {
  if (cut === undefined && walk.asked.length === 0) walk.ahead = rest;
  else walk.asked.unshift(askPage(rest, walk, cut));
}

/** Whether an answer holds all bugs of its stretch: it is empty, or full to the last number, or short and not cut. */
function isWhole(ids: readonly number[], length: number, { page, walk }: { page: Page; walk: Walk }): boolean {
  const { from = 1, below = Number.POSITIVE_INFINITY } = page.range;
  return length === 0 || ids.length === below - from || (length < page.size && length < walk.longest);
}

function restOf(ids: readonly number[], range: IdRange, { isOldestFirst }: SearchPlan): IdRange | undefined {
  const last = ids.at(-1) ?? 0;
  if (!isOldestFirst) return last > (range.from ?? 1) ? { ...range, below: last } : undefined;
  return { ...range, from: last + 1 };
}

function spanOf(ids: readonly number[], { from, below }: IdRange): number {
  const [first = 0] = ids;
  const last = ids.at(-1) ?? 0;
  return (below ?? Math.max(first, last) + 1) - (from ?? Math.min(first, last));
}

/** The numbers of an answer. One that is out of order or outside of the stretch would silently lose others. */
function idsIn(answer: readonly Bug[], { from = 0, below = Number.POSITIVE_INFINITY }: IdRange, plan: SearchPlan) {
  const ids = answer.map(({ id }) => id ?? 0);
  const stray = ids.find((id) => id < from || id >= below);
  if (stray !== undefined) {
    throw distrusted(
      `the tracker answered a search for bugs ${from > 0 ? `from ${from} ` : ""}below ${below} with bug ${stray}`,
    );
  }
  const sign = plan.isOldestFirst ? 1 : -1;
  if (ids.some((id, at) => at > 0 && sign * (id - (ids[at - 1] ?? 0)) <= 0)) {
    throw distrusted("the tracker answered a search by number with bugs in another order");
  }
  return ids;
}

function distrusted(sentence: string): BtError {
  return new BtError("reply", sentence, {
    hint: "it seems to ignore parts of a search, so its results cannot be trusted",
  });
}

/** What is remembered of a tracker between searches: the longest page it gave, which proves how much it can give. */
export type PageMemory = {
  readonly longest: () => Promise<number>;
  readonly remember: (longest: number) => Promise<void>;
};

type FactStore = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** The memory of a tracker's pages inside its store of facts. It counts for a day, since a maximum may be lowered. */
export function pageMemory(store: FactStore, now: Date): PageMemory {
  return {
    longest: async () => {
      const { longest, seen } = (await store.read("pages")) ?? {};
      const age = now.getTime() - Number(seen);
      return typeof longest === "number" && Number.isSafeInteger(longest) && age >= 0 && age < DAY_MS ? longest : 0;
    },
    remember: (longest) => store.write("pages", { longest, seen: now.getTime() }),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
