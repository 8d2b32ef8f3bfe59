import { BtError, type ErrorFacts } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Edit } from "../../shared/change/edit.ts";

/** A status for bugs of other statuses, and the word for these. */
type StatusMove = { readonly to: string; readonly from: readonly string[]; readonly word: string };

/** The edit that sets a status; refused for a bug that the verb is not about, even where the workflow has the transition. */
export function statusEdit(bug: Bug, { to, from, word }: StatusMove, comment: JsonObject): Edit {
  const { id, status } = bug;
  if (status === to) return { bug, why: `already ${to}`, dropped: Object.keys(comment) };
  if (from.includes(status ?? "")) return { bug, body: { status: to, ...comment } };
  const reason = `${status}, not ${word}`;
  const facts: ErrorFacts = { reason, hint: `bt bug update --status ${to} sets it anyway` };
  return { ref: String(id), bug, error: new BtError("usage", `bug ${id} is ${reason}`, facts) };
}
