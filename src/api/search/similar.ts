import { isKind } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { requestOptional } from "../facts/optional.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { POSSIBLE_DUPLICATES } from "../operations/tracker.ts";
import { fieldContainsAll, fieldEqualsAny } from "../query/field-test.ts";
import { allOf, anyOf, type Query } from "../query/tree.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import type { Searches } from "./searches.ts";

/** The bug to find similar ones for; `id` and `creation_time` are absent if it is not filed yet. */
export type Subject = Pick<Bug, "summary" | "component" | "creation_time"> & {
  readonly id?: number; // of a bug that is itself not found
  readonly products: readonly string[]; // empty: all
};

/** A bug that may be about the same; `score` is 1 for the same words in the same component at the same time. */
export type SimilarBug = {
  readonly bug: Bug;
  readonly score: number;
  readonly words: readonly string[]; // shared words as in its summary, rarest first
  readonly isSameComponent: boolean;
  readonly duplicates: readonly number[]; // duplicates of this bug that are similar
};

/** How similar bugs are requested. */
export type SimilarTools = { readonly send: SendRequest; readonly searches: Searches };

/**
 * Probable duplicates of a bug, best first. Candidates come by at most three requests; the bugs that they are
 * duplicates of take their places, read by at most three more.
 */
export async function findSimilar(subject: Subject, now: Date, tools: SimilarTools): Promise<SimilarBug[]> {
  const words = weightedWords(subject.summary ?? "");
  if (words.size === 0) return [];
  const candidates = await readCandidates(subject, words, tools);
  const ranked = rankSimilar(subject, candidates, now).slice(0, MAX_RANKED);
  const isOwn = ({ bug }: SimilarBug) => subject.id !== undefined && [bug.id, bug.dupe_of].includes(subject.id);
  return mergeDuplicates(ranked, await readOriginals(ranked, tools.searches)).filter((one) => !isOwn(one));
}

/** Score from which a bug is a probable duplicate; one of ten bugs without any meets one by chance. */
export const PROBABLE_SCORE = 0.35;

/** Scores below this are of bugs that share a single common word. */
const MIN_SCORE = 0.05;

/** Bonuses to the score, for bugs filed within months of each other, and in the same component. */
const SHARE_OF_TIME = 0.3;
const SHARE_OF_COMPONENT = 0.1;

/** Time after which the part for the time has shrunk to 37 %. */
const MONTHS_OF_TIME_MS = 180 * 24 * 60 * 60 * 1000;

/** Weight of identifiers such as `NullPointerException`, `save_as` or `3.2.1`, relative to other words. */
const IDENTIFIER_WEIGHT = 1.3;

/** Candidates of one request; fewer than servers return. Newer bugs come first, older ones are seldom reported again. */
const MAX_CANDIDATES = 500;

/** Words of a summary that are searched for, which gives 45 pairs in one request. */
const MAX_WORDS = 10;

/** Ranked bugs that are looked at for duplicates; more than anybody reads. */
const MAX_RANKED = 50;

/** Chains of duplicates are followed this far. */
const MAX_CHAIN = 3;

const FIELDS = ["id", "summary", "status", "resolution", "is_open", "product", "component", "dupe_of", "creation_time"];

/**
 * The candidates ranked by the cosine of their words, weighted by how rare these are among all candidates, and by time
 * and component. The bug itself and its duplicates are left out.
 */
export function rankSimilar(subject: Subject, candidates: readonly Bug[], now: Date): SimilarBug[] {
  const others = candidates.filter(({ id, dupe_of }) => id !== subject.id && (!dupe_of || dupe_of !== subject.id));
  const own = weightedWords(subject.summary ?? "");
  const all = others.map((bug) => ({ bug, words: weightedWords(bug.summary ?? "") }));
  const counts = new Map<string, number>();
  for (const { words } of all) for (const stem of words.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const rarity = (stem: string) => Math.log(1 + (all.length + 1) / ((counts.get(stem) ?? 0) + 1));
  const length = (words: Words) => Math.hypot(...[...words].map(([stem, { weight }]) => weight * rarity(stem)));
  const ownLength = length(own);
  const ranked = all.map(({ bug, words }) => {
    const shared = [...own.keys()].filter((stem) => words.has(stem)).sort((one, two) => rarity(two) - rarity(one));
    const product = shared.reduce(
      (sum, stem) => sum + weightOf(own, stem) * weightOf(words, stem) * rarity(stem) ** 2,
      0,
    );
    const isSameComponent = subject.component !== undefined && bug.component === subject.component;
    const cosine = product === 0 ? 0 : product / (ownLength * length(words));
    const score = cosine * closeness(bug, isSameComponent, parseTime(subject.creation_time) ?? now.getTime());
    const texts = shared.map((stem) => words.get(stem)?.text ?? stem);
    return { bug, score: Number(score.toFixed(3)), words: texts, isSameComponent, duplicates: [] };
  });
  return ranked.filter(({ score }) => score >= MIN_SCORE).sort(byScore);
}

function byScore(a: SimilarBug, b: SimilarBug): number {
  return b.score - a.score || b.bug.id - a.bug.id;
}

function closeness(bug: Bug, isSameComponent: boolean, time: number): number {
  const distance = Math.abs(time - (parseTime(bug.creation_time) ?? Number.NEGATIVE_INFINITY));
  const near = Math.exp(-distance / MONTHS_OF_TIME_MS);
  return 1 - SHARE_OF_TIME * (1 - near) - (isSameComponent ? 0 : SHARE_OF_COMPONENT);
}

function parseTime(time: string | null | undefined): number | undefined {
  const moment = Date.parse(time ?? "");
  return Number.isNaN(moment) ? undefined : moment;
}

/** The words of a summary by their stems, with the text of one of them in lower case. */
type Words = ReadonlyMap<string, { text: string; weight: number }>;

function weightOf(words: Words, stem: string): number {
  return words.get(stem)?.weight ?? 0;
}

/** Identifiers count as a whole and by their parts: `os.FileNotFound` is also filenotfound, file, not and found. */
function weightedWords(summary: string): Words {
  const found = new Map<string, { text: string; weight: number }>();
  const add = (word: string, weight: number) => {
    const text = word.toLowerCase();
    const stem = stemOf(text);
    if (!isCommon(text) && (found.get(stem)?.weight ?? 0) < weight) found.set(stem, { text, weight });
  };
  for (const [token] of summary.matchAll(TOKEN)) {
    const names = [token, ...token.split(/[_.:$#-]+/)];
    for (const name of names) {
      const parts = name.split(SEAM).filter(Boolean);
      add(name, parts.length > 1 || /\d/.test(name) ? IDENTIFIER_WEIGHT : 1);
      for (const part of parts) add(part, 1);
    }
  }
  return found;
}

const TOKEN = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_.:$#-]*[\p{L}\p{M}\p{N}])?/gu;
const SEAM = /[_.:$#-]+|(?<=\p{Ll})(?=\p{Lu})/u;

function isCommon(text: string): boolean {
  return COMMON.has(text) || text.length < 2 || /^[a-z][a-z]$/.test(text);
}

/** Words of grammar; other common words weigh little by themselves. */
const COMMON: ReadonlySet<string> = new Set(
  `after all and are before but can cannot could does doesn don for from had has have how into its not should
  than that the then there this use used using was were what when where which while why will with without would you your`.split(
    /\s+/,
  ),
);

/** A word without an English ending, so that a search for it as a part of summaries finds the other forms. */
function stemOf(text: string): string {
  const stem = text.replace(/(?:ing|ed|es|(?<!s)s)$/, "");
  return stem.length >= MIN_STEM ? stem : text;
}

const MIN_STEM = 3;

async function readCandidates(subject: Subject, words: Words, tools: SimilarTools): Promise<Bug[]> {
  const stems = [...words.keys()]
    .sort((one, two) => weightOf(words, two) - weightOf(words, one) || two.length - one.length)
    .slice(0, MAX_WORDS);
  const [known, pairs] = await Promise.all([
    readPossibleDuplicates(subject, tools.send),
    stems.length > 1 ? newestMatching(subject, pairQueries(stems), tools) : [],
  ]);
  const single = await newestMatching(
    subject,
    rarestWords(stems, [...known, ...pairs]).map((stem) => fieldContainsAll("summary", [stem])),
    tools,
  );
  return distinctBugs([...known, ...pairs, ...single]);
}

/** Bugs of a tracker that finds possible duplicates itself; none if it does not, or not in a product closed for new bugs. */
async function readPossibleDuplicates({ id, summary, products }: Subject, send: SendRequest): Promise<Bug[]> {
  const values = id === undefined ? { summary: summary ?? "" } : { id };
  const request = requestFor(POSSIBLE_DUPLICATES, { ...values, product: products, include_fields: FIELDS.join(",") });
  const response = await requestOptional(request, send).catch((error: unknown) => {
    if (isKind(error, "auth")) return undefined; // the searches fail if it is about the key
    throw error;
  });
  return response === undefined ? [] : readBugs(response);
}

/** The newest bugs that meet any of the conditions. */
function newestMatching({ products }: Subject, conditions: Query[], tools: SimilarTools) {
  const inProducts = products.length > 0 ? fieldEqualsAny("product", [...products]) : allOf([]);
  const query = allOf([inProducts, anyOf(conditions)]);
  return tools.searches.first({ query }, { include: FIELDS, limit: MAX_CANDIDATES });
}

/** All pairs of words. */
function pairQueries(stems: string[]): Query[] {
  return stems.flatMap((stem, at) => stems.slice(at + 1).map((other) => fieldContainsAll("summary", [stem, other])));
}

/** The rarer two thirds of the words, which find a bug alone; judged by the bugs that contain two. */
function rarestWords(stems: string[], bugs: Bug[]): string[] {
  const texts = bugs.map(({ summary }) => (summary ?? "").toLowerCase());
  const count = (stem: string) => texts.filter((text) => text.includes(stem)).length;
  const counted = stems.map((stem) => ({ stem, count: count(stem) })).sort((a, b) => a.count - b.count);
  const alone = counted.filter((one) => one.count === 0).length;
  return counted.slice(0, Math.max(alone, Math.ceil((stems.length * 2) / 3))).map(({ stem }) => stem);
}

/** The visible bugs that ranked bugs are duplicates of, through chains of duplicates. */
async function readOriginals(ranked: SimilarBug[], searches: Searches): Promise<ReadonlyMap<number, Bug>> {
  const known = new Map(ranked.map(({ bug }) => [bug.id, bug]));
  for (let round = 0; round < MAX_CHAIN; round += 1) {
    const missing = new Set<number>();
    for (const { dupe_of } of known.values()) if (dupe_of && !known.has(dupe_of)) missing.add(dupe_of);
    if (missing.size === 0) break;
    const query = fieldEqualsAny("id", [...missing].map(String));
    const found = await searches.first({ query }, { include: FIELDS, limit: missing.size });
    for (const bug of found) known.set(bug.id, bug);
    if (found.length < missing.size) break; // the others are not visible
  }
  return known;
}

/** Bugs in place of their duplicates, each once with its best score. */
function mergeDuplicates(ranked: SimilarBug[], known: ReadonlyMap<number, Bug>): SimilarBug[] {
  const merged = new Map<number, SimilarBug>();
  for (const similar of ranked) {
    const bug = finalOriginal(similar.bug, known);
    const before = merged.get(bug.id);
    const duplicates = [...(before?.duplicates ?? [])];
    if (bug.id !== similar.bug.id) duplicates.push(similar.bug.id);
    merged.set(bug.id, { ...(before ?? similar), bug, duplicates });
  }
  return [...merged.values()];
}

function finalOriginal(bug: Bug, known: ReadonlyMap<number, Bug>): Bug {
  const passed = new Set([bug]);
  for (let at = bug; ; ) {
    const next = at.dupe_of ? known.get(at.dupe_of) : undefined;
    if (next === undefined || passed.has(next)) return at;
    passed.add(next);
    at = next;
  }
}
