import { loadBug } from "../record/load.ts";
import type { Bug } from "../rules/bug.ts";
import { EMPTY_COMMENT } from "../rules/comment.ts";
import { unique, without } from "../rules/edit.ts";
import { bugPage, ownBug } from "../rules/see-also.ts";
import { type Context, missingRight } from "./context.ts";
import { type Draft, draftOf, withBug } from "./draft.ts";

/** What a change means for other bugs, as changes of those. */
export function consequences(context: Context, draft: Draft): readonly Draft[] {
  return [...linkedBack(context, draft), ...duplicated(context, draft)];
}

// A See Also entry between two bugs of this tracker stands on both, as far as the requester may change the other one.
function linkedBack(context: Context, { before, after }: Draft): readonly Draft[] {
  const { urlbase } = context.call.parameters;
  const page = bugPage(urlbase, after.id);
  const others = (urls: readonly string[], drawn: (bug: Bug) => readonly string[]) =>
    urls
      .flatMap((url) => changeableBug(context, ownBug(url, urlbase)) ?? [])
      .map((bug) => withBug(draftOf(bug), { see_also: drawn(bug) }));
  const itself = (url: string) => url;
  return [
    ...others(without(after.see_also, before.see_also, itself), (bug) => unique([...bug.see_also, page], itself)),
    ...others(without(before.see_also, after.see_also, itself), (bug) => bug.see_also.filter((url) => url !== page)),
  ];
}

function changeableBug(context: Context, id: string | undefined): Bug | undefined {
  const { store } = context.call;
  const isVisible = store.get("SELECT id FROM visible_bugs WHERE id = ?", [Number(id ?? 0)]) !== undefined;
  const bug = isVisible ? loadBug(store, Number(id), context.customs) : undefined;
  const wanted = { field: "see_also", from: "", to: "a link back" };
  return bug && missingRight(context, bug, wanted) === undefined ? bug : undefined;
}

function duplicated({ call, customs }: Context, { before, after, duplicateCc }: Draft): readonly Draft[] {
  if (after.dupe_of === null || after.dupe_of === before.dupe_of) return [];
  const original = loadBug(call.store, after.dupe_of, customs);
  const cc = duplicateCc ? [...original.cc, duplicateCc] : original.cc;
  const comment = { ...EMPTY_COMMENT, kind: "has_duplicate", about: after.id } as const;
  return [{ ...withBug(draftOf(original), { cc }), comment }];
}
