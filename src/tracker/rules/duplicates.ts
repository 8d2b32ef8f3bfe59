import { Fault } from "../fault.ts";

/** A bug that is to become a duplicate of another, and how duplicates lead on. */
export type Duplicate = {
  readonly bugId: number;
  readonly of: number;
  readonly dupeOf: (bugId: number) => number | null;
};

/** Refuses to make a bug a duplicate of itself, directly or through others. */
export function refuseDuplicateLoop({ bugId, of, dupeOf }: Duplicate): void {
  if (of === bugId) throw new Fault(400, 118, `You cannot mark bug ${bugId} as a duplicate of itself.`);
  const seen = new Set<number>();
  for (let next: number | null = of; next !== null && !seen.has(next); next = dupeOf(next)) {
    seen.add(next);
    if (next === bugId) {
      throw new Fault(
        400,
        118,
        `You cannot mark bug ${bugId} as a duplicate of bug ${of}, because it would create a duplicate loop.`,
      );
    }
  }
}
