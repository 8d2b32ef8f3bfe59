import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { storeDraft, tellOthers } from "../changing/apply.ts";
import { type Context, makeContext } from "../changing/context.ts";
import { draftOf } from "../changing/draft.ts";
import { flags } from "../changing/flags.ts";
import { customFieldsWithChoices } from "../fields/choices.ts";
import { queueMails } from "../outbox/queue.ts";
import { loggedIn } from "../people/find.ts";
import { insertComment } from "../record/comment.ts";
import { insertBug, saveBug } from "../record/save.ts";
import type { Bug } from "../rules/bug.ts";
import { emptyCustom } from "../rules/custom-fields.ts";
import { newBugInput } from "./names.ts";
import { readNewBug } from "./new-bug.ts";

/** Create Bug: files one bug, with its description as the first comment and the flags that are set at once. */
export const createRoutes: readonly Route[] = [{ method: "POST", path: "/bug", handle: (call) => createBug(call) }];

function createBug(call: Call): Json {
  loggedIn(call);
  const input = newBugInput(call.input, customFieldsWithChoices(call.store));
  const context = makeContext(call, { input, bugIds: [] });
  const { bug, description } = readNewBug(context);
  const born: Bug = { ...bug, id: insertBug(call.store, bug) };
  const unborn = bare(context, born);
  saveBug({ store: call.store, customs: context.customs, now: call.now }, unborn, born);
  insertComment(call.store, { bugId: born.id, userId: context.user.id, time: call.now }, description);
  tellOthers(context, { ...draftOf(unborn), after: born });
  const flagged = flags(context, draftOf(born));
  storeDraft(context, flagged);
  queueMails(call, { before: born, after: flagged.after, isNew: true, changes: [], comment: description });
  return { id: born.id };
}

// The bug as its own row holds it, before anything hangs on it.
function bare({ customs }: Context, bug: Bug): Bug {
  return {
    ...bug,
    alias: [],
    cc: [],
    keywords: [],
    groups: [],
    depends_on: [],
    blocks: [],
    see_also: [],
    custom: Object.fromEntries(customs.map((field) => [field.name, emptyCustom(field)])),
  };
}
