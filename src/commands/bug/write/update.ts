import { checkNotEmpty } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/texts.ts";
import { usageError } from "../../../errors.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { changeBugs, editsOf } from "../../shared/change/change.ts";
import type { ChangeResult, Edit } from "../../shared/change/plan.ts";
import { NO_MENTIONS, readBugsToChange, readTargetsOrText, reportNoTargets } from "../../shared/targets.ts";
import { readLongText } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { UpdateInput } from "./flags.ts";
import { checkKey, readCommentsByKey } from "./once-by.ts";
import { readBodyOfFields } from "./update-body.ts";

/** `bt bug update`: sets parameters on bugs, but not on those with a comment of `--once-by`. */
export async function updateBugs(input: UpdateInput, context: Context): Promise<readonly ChangeResult[] | undefined> {
  const { parameters, onceBy } = input;
  const refs = await readTargetsOrText(input, context, { mayBeNone: true });
  if (refs.length === 0) return reportNoTargets(context, input.fromText ? NO_MENTIONS : undefined);
  const comment = await readLongText({ name: "comment", typed: parameters.comment }, input, context);
  checkFlags(input, comment);
  const named = await readBugsToChange(refs, context);
  const done = onceBy === undefined ? undefined : await readCommentsByKey(named.bugs, onceBy, context);
  const fresh = named.bugs.filter(({ id }) => !done?.has(id));
  const body: JsonObject = {
    ...(await readBodyOfFields(parameters, fresh, context)),
    ...(comment !== undefined && {
      comment: { body: checkedText("comment", comment), is_private: input.private === true },
    }),
  };
  checkNotEmpty(body);
  if (fresh.length > 1 && body["alias"] !== undefined)
    throw usageError(`an alias can be changed on one bug at a time, not on ${fresh.length}`);
  const edits = editsOf(named, (bug): Edit => {
    const count = done?.get(bug.id);
    return count === undefined ? { bug, body } : { bug, why: `comment ${count} ends with the key` };
  });
  return changeBugs(edits, input, context);
}

/** @throws BtError of kind usage for flags that require others */
function checkFlags(input: UpdateInput, comment: string | undefined): void {
  if (input.private && comment === undefined) {
    const hint = "add one with -m, or use --comment-is-private COMMENT=yes for an existing comment";
    throw usageError("--private requires a comment", hint);
  }
  if (input.onceBy !== undefined) checkKey(input.onceBy, comment);
}
