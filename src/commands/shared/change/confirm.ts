import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { BtError } from "../../../errors.ts";
import { changeTexts } from "../../../view/changes.ts";
import { countText, plain } from "../../../view/text.ts";
import type { Context } from "../../verb.ts";
import { confirmationPrompt } from "../prompts.ts";
import type { ChangeOptions } from "./edit.ts";
import { ableIn, newIn, type Plan } from "./plan.ts";
import { plannedRow, readLabels } from "./rows.ts";
import { exposureLines, refusedLines } from "./show-plan.ts";

/**
 * Prompts for a change of over 20 bugs, or of some of them, without `--yes`, and before bugs may
 * become public, without `--allow-no-groups`.
 * @throws BtError of kind guard for a change that is not confirmed
 */
export async function confirmPlan(plan: Plan, options: ChangeOptions, context: Context): Promise<void> {
  const [able, created] = [ableIn(plan), newIn(plan)];
  const exposed = options.allowNoGroups ? [] : exposureLines(able);
  const refused = refusedLines(plan);
  const isLarge = options.isConfirmed || plan.length > MAX_ATOMIC_BUGS || refused.length > 0;
  if (exposed.length === 0 && (able.length + created.length === 0 || !isLarge || options.yes)) return;
  const { io, output, session } = context;
  const others = plan.length - created.length;
  const bugs = able.length < others ? `${able.length} of ${others} bugs` : countText(able.length, "bug");
  const what = [created.length > 0 && `file ${countText(created.length, "bug")}`, others > 0 && `change ${bugs}`];
  const task = what.filter(Boolean).join(" and ");
  const rows = plan.filter(({ st }) => st === "able" || st === "new").map((item) => plannedRow(item));
  const card = { changed: rows, fields: await readLabels(context), isPreview: true };
  const lines = [...refused.map((line) => `not changed: ${line}`), ...exposed].map((line) => plain(line));
  const confirm = confirmationPrompt(options, io, session.settings);
  if (!confirm) {
    const isMove = able.some(({ isExposed, body }) => isExposed && body["product"] !== undefined);
    const hint =
      exposed.length > 0
        ? `${isMove ? "--add-groups GROUP keeps them private; " : ""}--allow-no-groups accepts it`
        : "--yes skips the prompt; --dry-run shows every change";
    const texts = changeTexts(card, { ...output.view, terminal: false, color: false, width: Infinity });
    const details = [...firstOf(texts), ...firstOf(lines)];
    throw new BtError("guard", `this would ${task}`, { details, hint });
  }
  const shown = [...firstOf(changeTexts(card, output.view)), ...firstOf(lines)];
  await io.err(shown.map((line) => `${line}\n`).join(""));
  if (!(await confirm(`${task}?`))) throw new BtError("guard", "no changes made");
}

const MAX_LINES = 20; // of changes, and of bugs that are refused, or may become public

/** As many of the lines, with a count of the rest. */
export function firstOf(lines: readonly string[], count = MAX_LINES): string[] {
  return lines.length <= count ? [...lines] : [...lines.slice(0, count - 1), `and ${lines.length - count + 1} more`];
}
