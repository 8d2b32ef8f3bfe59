import { findBug } from "../bugs/find.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import { unique } from "../rules/edit.ts";
import { bugPage, readSeeAlso } from "../rules/see-also.ts";
import { type Step, withBug } from "./draft.ts";
import { readEdit } from "./edits.ts";

/** Where else a bug is talked about. */
export const seeAlso: Step = ({ call, input }, draft) => {
  const edit = readEdit(input, "see_also", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { after } = draft;
  const added = edit.add.map((text) => linkTo(call, text, after.id));
  const list = unique([...after.see_also, ...added], (url) => url.toLowerCase());
  const removed = new Set(edit.remove.map((text) => linkSaid(call, text).toLowerCase()));
  return withBug(draft, { see_also: list.filter((url) => !removed.has(url.toLowerCase())) });
};

/** The page that a See Also entry leads to, refused when it is of no known kind or leads to the bug itself. */
export function linkTo(call: Call, text: string, bugId: number): string {
  const target = readSeeAlso(text, call.parameters.urlbase);
  if ("url" in target) return target.url;
  const id = findBug(call, target.bug);
  if (id === bugId) throw new Fault(400, 112, "You cannot add a bug to its own See Also field.");
  return bugPage(call.parameters.urlbase, id);
}

function linkSaid({ parameters }: Call, text: string): string {
  return /^\d+$/.test(text) ? bugPage(parameters.urlbase, Number(text)) : text;
}
