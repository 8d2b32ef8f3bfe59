import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { BtError } from "../../../errors.ts";
import { changeTexts } from "../../../view/changes.ts";
import { countText, plain } from "../../../view/text.ts";
import type { Context } from "../../verb.ts";
import { confirmationPrompt } from "../prompts.ts";
import type { ChangeOptions } from "./edit.ts";
import { ableIn, type Plan } from "./plan.ts";
import { plannedRow, readLabels } from "./rows.ts";
import { exposureLines, refusedLines } from "./show-plan.ts";

/**
 * Prompts for a change of over 20 bugs, and of some of them, unless `--yes` is given, and before bugs may become public, unless
 * `--allow-no-groups` is.
 * @throws BtError of kind guard for a change that is not confirmed, and where nobody can be prompted
 */
export async function confirmPlan(plan: Plan, options: ChangeOptions, context: Context): Promise<void> {
  const able = ableIn(plan);
  const exposed = options.allowNoGroups ? [] : exposureLines(able);
  const refused = refusedLines(plan);
  const isLarge = able.length > 0 && (plan.length > MAX_ATOMIC_BUGS || refused.length > 0);
  if (exposed.length === 0 && (!isLarge || options.yes)) return;
  const { io, output, session } = context;
  const what = `change ${able.length < plan.length ? `${able.length} of ${plan.length} bugs` : countText(able.length, "bug")}`;
  const card = { changed: able.map((item) => plannedRow(item)), fields: await readLabels(context), isPreview: true };
  const lines = [...refused.map((line) => `not changed: ${line}`), ...exposed].map((line) => plain(line));
  const confirm = confirmationPrompt(options, io, session.settings);
  if (!confirm) {
    const hint =
      exposed.length > 0
        ? "--add-groups GROUP keeps them private; --allow-no-groups accepts it"
        : "--yes skips the prompt; --dry-run shows every change";
    const texts = changeTexts(card, { ...output.view, terminal: false, color: false, width: Infinity });
    const details = [...firstOf(texts, SAMPLE), ...firstOf(lines, MAX_LINES)];
    throw new BtError("guard", `this would ${what}`, { details, hint, changed: "nothing" });
  }
  const room = Math.max(SAMPLE, io.size().rows - lines.length - REST);
  const shown = [...firstOf(changeTexts(card, output.view), room), ...firstOf(lines, MAX_LINES)];
  await io.err(shown.map((line) => `${line}\n`).join(""));
  if (!(await confirm(`${what}?`))) throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const SAMPLE = 6; // lines of an error
const MAX_LINES = 20; // of bugs that are refused, or may become public
const REST = 3; // lines of the screen for the command and the question

/** As many of the lines, with a count of the rest. */
function firstOf(lines: readonly string[], count: number): string[] {
  return lines.length <= count ? [...lines] : [...lines.slice(0, count - 1), `and ${lines.length - count + 1} more`];
}
