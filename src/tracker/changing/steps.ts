import type { Bug } from "../rules/bug.ts";
import { changesBetween } from "../rules/tracked.ts";
import { aliases } from "./aliases.ts";
import { comment, commentPrivacy } from "./comments.ts";
import { type Context, requireRight } from "./context.ts";
import { custom } from "./custom.ts";
import { dependencies } from "./dependencies.ts";
import { type Draft, draftOf, type Step } from "./draft.ts";
import { flags } from "./flags.ts";
import { groups } from "./groups.ts";
import { keywords } from "./keywords.ts";
import { carbonCopies, owners } from "./people.ts";
import { place } from "./place.ts";
import { plainFields } from "./plain-fields.ts";
import { seeAlso } from "./see-also.ts";
import { status } from "./status.ts";

/** The change of one bug that a request asks for, thought through from first to last; refused when any part may not be. */
export function draftChange(context: Context, bug: Bug): Draft {
  return STEPS.reduce((draft, { step, asks = [] }) => {
    const next = step(context, draft);
    for (const { field, removed, added } of changesBetween(draft.after, next.after)) {
      if (asks.includes(field) || (step === custom && field in draft.after.custom)) {
        requireRight(context, draft.before, { field, ...shownIn(field, removed, added) });
      }
    }
    return next;
  }, draftOf(bug));
}

// Dependencies are refused without saying which.
function shownIn(field: string, from: string, to: string) {
  return field === "dependson" || field === "blocked" ? { from: "", to: "" } : { from, to };
}

type Stage = { readonly step: Step; readonly asks?: readonly string[] };

// In this order, for later ones depend on earlier ones. `asks` names the fields that need a right to change: what changes
// beside them in a step follows by itself or was decided inside.
const STEPS: readonly Stage[] = [
  { step: place, asks: ["product", "component", "version"] },
  { step: groups, asks: ["bug_group"] },
  { step: dependencies, asks: ["dependson", "blocked"] },
  { step: keywords, asks: ["keywords"] },
  { step: comment },
  { step: commentPrivacy },
  { step: aliases },
  {
    step: plainFields,
    asks: [
      "short_desc",
      "bug_file_loc",
      "status_whiteboard",
      "priority",
      "bug_severity",
      "rep_platform",
      "op_sys",
      "deadline",
      "estimated_time",
      "remaining_time",
      "cclist_accessible",
      "reporter_accessible",
    ],
  },
  { step: status, asks: ["resolution", "dup_id"] },
  { step: owners, asks: ["assigned_to", "qa_contact"] },
  { step: seeAlso, asks: ["see_also"] },
  { step: custom },
  { step: carbonCopies },
  { step: flags },
];
