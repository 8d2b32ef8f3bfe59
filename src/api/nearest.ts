const MAX_EDITS = 2;
const LIST_ALL = 12; // up to this many names, all are shown instead of the nearest

/** Hint for an unknown name: the nearest names, or all of them if few; undefined without a candidate. */
export function suggestNames(text: string, names: readonly string[]): string | undefined {
  const near = nearestNames(text, names);
  const all = [...new Set(names)];
  const rest = all.length <= LIST_ALL ? all.filter((name) => !near.includes(name)) : [];
  const sentences = [
    near.length > 0
      ? `did you mean ${joinedByOr(near.map((name) => (name.startsWith(`${text} `) ? JSON.stringify(name) : name)))}?`
      : "",
    rest.length > 0 ? `${near.length > 0 ? "others:" : "valid values:"} ${rest.map(quotedIfNeeded).join(", ")}` : "",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ") || undefined;
}

/** Up to three names similar to `text`, best first: at most two edits apart, with its beginning, or containing it or a typo of it. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  return nearestByCost(text, names, nameCost);
}

/** Like `nearestNames`, without names that only contain `text`. */
export function nearestWords(text: string, names: string[]): string[] {
  return nearestByCost(text, names, misspellingCost);
}

function nearestByCost(text: string, names: readonly string[], costOf: typeof nameCost): string[] {
  const wanted = text.trim().toLowerCase();
  const near = [...new Set(names)]
    .map((name) => ({ name, cost: costOf(wanted, name.toLowerCase()) }))
    .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.cost - b.cost);
  const best = near[0]?.cost ?? 0;
  return near
    .filter(({ cost }) => cost <= best + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A value without regard to case, and with one kind of blank: `In Progress` is `IN_PROGRESS`, `wont-do` is `won't do`. */
export function valueKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[\s_-]+/g, "_");
}

/**
 * True if a word differs from a name of at least five letters by one edit: insertion, deletion, substitution or
 * transposition. Shorter names have too many neighbours.
 */
export function isTypo(word: string, name: string): boolean {
  return name.length >= MIN_TYPO_LENGTH && editDistance(word.trim().toLowerCase(), name.toLowerCase(), 1) === 1;
}

const MIN_TYPO_LENGTH = 5;

/** Names joined for a message: `A`, `A or B`, `A, B or C`. */
function joinedByOr(names: readonly string[]): string {
  return names.length < 2
    ? names.map(quotedIfNeeded).join("")
    : `${names.slice(0, -1).map(quotedIfNeeded).join(", ")} or ${names.at(-1)}`;
}

/** A name as an item of a list: in quotes if it has a comma. */
export function quotedIfNeeded(name: string): string {
  return name.includes(",") ? `"${name}"` : name;
}

function nameCost(wanted: string, name: string): number {
  const isPart = wanted.length > 2 && (name.includes(wanted) || name.split(" ").some((word) => isTypo(wanted, word)));
  return Math.min(misspellingCost(wanted, name), isPart ? MAX_EDITS + 2 : Number.POSITIVE_INFINITY);
}

function misspellingCost(wanted: string, name: string): number {
  const limit = Math.min(MAX_EDITS, Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3)));
  const edits = editDistance(wanted, name, limit);
  if (edits <= limit) return edits;
  return wanted.length > 1 && name.startsWith(wanted) ? MAX_EDITS + 1 : Number.POSITIVE_INFINITY;
}

/** Edit distance with transpositions; exact only up to `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      line.push(cheapestEdit({ from, to, row, column }, [before, above, line]));
    }
    before = above;
    above = line;
  }
  return above[to.length] ?? limit + 1;
}

type Cell = { from: string; to: string; row: number; column: number };

function cheapestEdit({ from, to, row, column }: Cell, [before, above, line]: [number[], number[], number[]]): number {
  const at = (costs: number[], index: number): number => costs[index] ?? Number.POSITIVE_INFINITY;
  const same = from[row - 1] === to[column - 1];
  const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  return Math.min(
    at(above, column) + 1,
    at(line, column - 1) + 1,
    at(above, column - 1) + (same ? 0 : 1),
    isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
