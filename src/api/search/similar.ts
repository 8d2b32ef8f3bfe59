import type { Bug } from "../../wire/bug-fields.ts";
import { fieldTest } from "../query/families.ts";
import { allOf, anyOf, type Leaf, type Query } from "../query/tree.ts";
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

/**
 * Probable duplicates of a bug, best first. Candidates come by one search; the bugs that they are duplicates of take their
 * places, which costs at most three requests.
 */
export async function findSimilar(subject: Subject, now: Date, searches: Searches): Promise<SimilarBug[]> {
  const words = weightedWords(subject.summary ?? "");
  if (words.size === 0) return [];
  const candidates = await readCandidates(subject, words, searches);
  const ranked = rankSimilar(subject, candidates, now).slice(0, MAX_RANKED);
  const isOwn = ({ bug }: SimilarBug) => subject.id !== undefined && [bug.id, bug.dupe_of].includes(subject.id);
  return mergeDuplicates(ranked, await readOriginals(ranked, searches)).filter((one) => !isOwn(one));
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

/** Words of a summary that are searched for. */
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

/** The newest bugs whose summaries share a word with that of a bug. */
function readCandidates({ products }: Subject, words: Words, searches: Searches): Promise<readonly Bug[]> {
  const stems = [...words.keys()]
    .sort((one, two) => weightOf(words, two) - weightOf(words, one) || two.length - one.length)
    .slice(0, MAX_WORDS);
  const inProducts: readonly Query[] = products.length > 0 ? [fieldTest("product", "=", ...products)] : [];
  const query = allOf([...inProducts, anyOf<Leaf>(stems.map((stem) => fieldTest("summary", "~", stem)))]);
  return searches.first({ query }, { include: FIELDS, limit: MAX_CANDIDATES });
}

/** The visible bugs that ranked bugs are duplicates of, through chains of duplicates. */
async function readOriginals(ranked: SimilarBug[], searches: Searches): Promise<ReadonlyMap<number, Bug>> {
  const known = new Map(ranked.map(({ bug }) => [bug.id, bug]));
  for (let round = 0; round < MAX_CHAIN; round += 1) {
    const missing = new Set<number>();
    for (const { dupe_of } of known.values()) if (dupe_of && !known.has(dupe_of)) missing.add(dupe_of);
    if (missing.size === 0) break;
    const query = fieldTest("id", "=", ...[...missing].map(String));
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
