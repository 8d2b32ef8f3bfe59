const LIST_ALL = 12; // up to this many names, all are shown instead of the nearest

/** Hint for an unknown name: the nearest names, or all if few; undefined without a candidate. */
export function suggestNames(text: string, names: readonly string[]): string | undefined {
  const near = nearestNames(text, names);
  const all = [...new Set(names)];
  const rest = all.length <= LIST_ALL ? all.filter((name) => !near.includes(name)) : [];
  const meant = near.map(quotedIfNeeded).join(" or ");
  const others = rest.map(quotedIfNeeded).join(", ");
  if (meant === "") return others === "" ? undefined : `valid values: ${others}`;
  return others === "" ? `did you mean ${meant}?` : `did you mean ${meant}? others: ${others}`;
}

/** Up to three similar names, best first: at most two edits apart, beginning with it, or containing it. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const near = [...new Set(names)]
    .map((name) => ({ name, cost: nameCost(wanted, name.toLowerCase()) }))
    .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.cost - b.cost);
  const best = near[0]?.cost ?? 0;
  return near
    .filter(({ cost }) => cost <= best + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A name as an item of a list: in quotes if it has a comma. */
export function quotedIfNeeded(name: string): string {
  return name.includes(",") ? `"${name}"` : name;
}

const MAX_EDITS = 2;

function nameCost(wanted: string, name: string): number {
  const limit = Math.min(MAX_EDITS, Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3)));
  const edits = editDistance(wanted, name, limit);
  if (edits <= limit) return edits;
  if (wanted.length > 1 && name.startsWith(wanted)) return MAX_EDITS + 1;
  return wanted.length > 2 && name.includes(wanted) ? MAX_EDITS + 2 : Number.POSITIVE_INFINITY;
}

/** Number of edits, also transpositions, between texts; infinite beyond the limit. */
function editDistance(from: string, to: string, limit: number): number {
  if (from === to) return 0;
  if (limit === 0) return Number.POSITIVE_INFINITY;
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  const [a, b] = [from.slice(at), to.slice(at)];
  const rests: [string, string][] = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
  ];
  if (a[0] === b[1] && a[1] === b[0]) rests.push([a.slice(2), b.slice(2)]);
  return 1 + Math.min(...rests.map(([x, y]) => editDistance(x, y, limit - 1)));
}
