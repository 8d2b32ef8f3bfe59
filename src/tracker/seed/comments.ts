import type { Event } from "./story.ts";
import type { Act, Telling } from "./telling.ts";

/** Adds the comment of an event, if it has one (or hours, which stand on a comment), and those that tell of a duplicate. */
export function tellComments(telling: Telling, act: Act, event: Event): void {
  if (event.say !== undefined || event.hours !== undefined) saveComment(telling, act, event);
  const dupeOf = event.set?.["dupe_of"];
  if (typeof dupeOf === "number") saveDuplicate(telling, act, dupeOf);
}

function saveComment({ store }: Telling, act: Act, { say = "", isPrivate = false, hours = 0, tags = [] }: Event): void {
  const { id } = store.run(
    "INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time) VALUES (?, ?, ?, ?, ?, ?)",
    [act.bugId, act.userId, act.time, say, Number(isPrivate), hours],
  );
  for (const tag of tags) {
    store.run("INSERT INTO comment_tags (comment_id, tag) VALUES (?, ?)", [id, tag]);
  }
}

function saveDuplicate({ store }: Telling, { bugId, userId, time }: Act, dupeOf: number): void {
  store.run("INSERT INTO bug_duplicates (bug_id, dupe_of) VALUES (?, ?)", [bugId, dupeOf]);
  const comment =
    "INSERT INTO comments (bug_id, creator_id, creation_time, text, kind, about) VALUES (?, ?, ?, '', ?, ?)";
  store.run(comment, [bugId, userId, time, "duplicate_of", dupeOf]);
  store.run(comment, [dupeOf, userId, time, "has_duplicate", bugId]);
}
