import type { Bug } from "../../wire/bug-fields.ts";
import { fieldTest } from "../query/families.ts";
import { allOf, anyOf, EVERY_BUG, type Leaf } from "../query/tree.ts";
import type { Searches } from "./searches.ts";

/** The bug to find similar ones for. */
export type Subject = Pick<Bug, "summary" | "component"> & {
  readonly id?: number; // of a bug that is itself not found; absent if it is not filed yet
  readonly products: readonly string[]; // empty: all
};

/** A bug that may be about the same; `score` is 1 for the same words. */
export type SimilarBug = {
  readonly bug: Bug;
  readonly score: number;
  readonly words: readonly string[]; // shared words as in its summary, rarest first
  readonly isSameComponent: boolean;
};

/** Score from which a bug is a probable duplicate. */
export const PROBABLE_SCORE = 0.35;

const MIN_SCORE = 0.05; // bugs below share a single common word
const MAX_CANDIDATES = 500; // newer bugs come first, older ones are seldom reported again
const MAX_WORDS = 10; // of a summary, the longest are searched for
const MIN_STEM = 3; // letters

const FIELDS = ["id", "summary", "status", "resolution", "is_open", "product", "component", "dupe_of", "creation_time"];

/** Probable duplicates of a bug, best first, among the newest that share a word of its summary. */
export async function findSimilar(subject: Subject, searches: Searches): Promise<SimilarBug[]> {
  const stems = [...wordsByStem(subject.summary).keys()].sort((one, two) => two.length - one.length);
  if (stems.length === 0) return [];
  const inSummary = anyOf<Leaf>(stems.slice(0, MAX_WORDS).map((stem) => fieldTest("summary", "~", stem)));
  const isInProduct = subject.products.length > 0 ? fieldTest("product", "=", ...subject.products) : EVERY_BUG;
  const query = allOf<Leaf>([isInProduct, inSummary]);
  return rankSimilar(subject, await searches.first({ query }, { include: FIELDS, limit: MAX_CANDIDATES }));
}

/**
 * The candidates, given newest first, ranked by the cosine of their words, each weighted by how rare it is among all candidates.
 * The bug itself and its duplicates are left out.
 */
export function rankSimilar(subject: Subject, candidates: readonly Bug[]): SimilarBug[] {
  const { id, component, summary } = subject;
  const all = candidates
    .filter((bug) => bug.id !== id && (!bug.dupe_of || bug.dupe_of !== id))
    .map((bug) => ({ bug, words: wordsByStem(bug.summary) }));
  const counts = new Map<string, number>();
  for (const { words } of all) for (const stem of words.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const rarity = (stem: string) => Math.log(1 + (all.length + 1) / ((counts.get(stem) ?? 0) + 1));
  const length = (stems: Iterable<string>) => Math.hypot(...[...stems].map(rarity));
  const own = wordsByStem(summary);
  const ranked = all.map(({ bug, words }): SimilarBug => {
    const shared = [...own.keys()].filter((stem) => words.has(stem)).sort((one, two) => rarity(two) - rarity(one));
    const cosine = length(shared) ** 2 / (length(own.keys()) * length(words.keys()));
    const isSameComponent = component !== undefined && bug.component === component;
    const texts = shared.map((stem) => words.get(stem) ?? stem);
    return { bug, score: Number(cosine.toFixed(3)), words: texts, isSameComponent };
  });
  return ranked
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, two) => two.score - one.score || Number(two.isSameComponent) - Number(one.isSameComponent));
}

/** The words of a summary that are neither common nor short, in lower case, by stem. */
function wordsByStem(summary: Bug["summary"]): ReadonlyMap<string, string> {
  const words = summary?.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !COMMON.has(word) && !/^(?:.|[a-z]{2})$/u.test(word));
  return new Map(telling.map((word) => [stemOf(word), word]));
}

/** Words of grammar; other common words weigh little by themselves. */
const COMMON: ReadonlySet<string> = new Set(
  `after all and are before but can cannot could does doesn don for from had has have how into its
  not should than that the then there this use used using was were what when where which while why
  will with without would you your`.split(/\s+/),
);

/** A word without an English ending, so that a search for it finds its other forms, too. */
function stemOf(text: string): string {
  const stem = text.replace(/(?:ing|ed|es|(?<!s)s)$/, "");
  return stem.length >= MIN_STEM ? stem : text;
}
