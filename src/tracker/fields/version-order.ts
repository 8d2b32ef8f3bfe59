/** Orders version names as people count: 9 before 10, 1.9 before 1.10, numbers before words. */
export function compareVersions(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  for (const [index, part] of left.entries()) {
    const order = compareParts(part, right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function parts(version: string): readonly string[] {
  return version.toLowerCase().match(/\d+|[^\d]+/g) ?? [];
}

function compareParts(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  const bothNumbers = /^\d/.test(a) && /^\d/.test(b);
  if (bothNumbers && Number(a) !== Number(b)) return Number(a) - Number(b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
