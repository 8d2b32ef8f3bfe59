import type { Store } from "../store/store.ts";
import type { BugValues, Story } from "./story.ts";

/** What the telling of stories knows so far. */
export type Telling = {
  readonly store: Store;
  readonly now: Date;
  readonly user: (name: string) => number;
  readonly bugs: Map<Story, ToldBug>;
};

/** A bug while its story is told. */
export type ToldBug = { readonly values: BugValues; readonly created: string; readonly changed: string };

/** Who did something to which bug, and when. */
export type Act = { readonly bugId: number; readonly userId: number; readonly time: string };

/** A moment so many days before now (after it, when negative), as stored. */
export function daysAgo(now: Date, days: number): string {
  return `${new Date(now.getTime() - Math.round(days * 86_400) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Writes a line of a bug's history. */
export function saveActivity({ store }: Telling, act: Act, { field, removed, added }: Line): void {
  store.run("INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES (?, ?, ?, ?, ?, ?)", [
    act.bugId,
    act.userId,
    act.time,
    field,
    removed,
    added,
  ]);
}

type Line = { readonly field: string; readonly removed: string; readonly added: string };
