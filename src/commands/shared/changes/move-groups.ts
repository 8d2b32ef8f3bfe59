import type { PublicConsent } from "../../../api/delivery/writer.ts";
import { mayBecomePublic, readProductGroups } from "../../../api/write/product-move.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, partForBug } from "../../../api/write/update-request.ts";
import { BtError } from "../../../errors.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { confirmationPrompt } from "../prompts.ts";
import { readMoments } from "./date-times.ts";
import type { UpdateOptions } from "./write-flags.ts";

/** The part with the known groups of the product that its bugs move to, and the moments of date-times that it sets. */
export async function completePart(part: UpdatePart, context: Context): Promise<UpdatePart> {
  const { product } = part.body;
  const moving = part.bugs.filter((bug) => bug.product !== product);
  const isMove = typeof product === "string" && moving.length > 0;
  const groups = isMove ? [...new Set(moving.flatMap((bug) => bug.groups ?? []))] : [];
  return {
    ...part,
    target: isMove ? await readProductGroups(product, groups, context.session.searches) : undefined,
    moments: await readMoments(part.body, context),
  };
}

/**
 * Prompts before bugs may lose their last group; without a terminal `--allow-no-groups` is required. Returns the
 * consent, for the job's head.
 */
export async function confirmExposure(
  parts: readonly UpdatePart[],
  options: UpdateOptions,
  { io, session }: Context,
): Promise<PublicConsent | undefined> {
  if (options.allowNoGroups) return "all";
  const exposed = exposedBugs(parts);
  if (exposed.length === 0) return undefined;
  const lines = exposed.map(exposureLine);
  const sentence =
    lines.length === 1
      ? `${lines[0]}, and become public`
      : `${lines.length} bugs may lose their last group, and become public`;
  const details = lines.length === 1 ? [] : lines.slice(0, MAX_LISTED);
  const confirm = confirmationPrompt(options, io, session.settings);
  if (!confirm) throw new BtError("guard", sentence, { details, hint: HINT, changed: "nothing" });
  await io.err(`${[sentence, ...details.map((line) => `    ${line}`)].map((line) => plain(line)).join("\n")}\n`);
  if (!(await confirm("move anyway?"))) throw new BtError("guard", "no changes made", { changed: "nothing" });
  return exposed.map(({ bug }) => bug.id);
}

const HINT = "--add-groups GROUP keeps them private; --allow-no-groups accepts it";
const MAX_LISTED = 20;

/** A line per bug that may lose its last group. */
export function exposureLines(parts: UpdatePart[]): string[] {
  return exposedBugs(parts).map(exposureLine);
}

type ExposedBug = { bug: Bug; target: UpdatePart["target"] };

function exposedBugs(parts: readonly UpdatePart[]): ExposedBug[] {
  const exposed: ExposedBug[] = [];
  for (const { bugs, body, target } of changingParts(parts)) {
    if (target === undefined) continue;
    for (const bug of bugs) if (mayBecomePublic(bug, body, target)) exposed.push({ bug, target });
  }
  return exposed;
}

function exposureLine({ bug, target }: ExposedBug): string {
  return `bug ${bug.id} may lose its last group in ${target?.product} (${bug.groups?.join(", ")})`;
}

/** Ids of the bugs whose last group an update removed. */
export function madePublic(changed: ChangedBug[], parts: UpdatePart[]): number[] {
  const ids: number[] = [];
  for (const { id, changes } of changed) {
    const { removed, added } = changes["groups"] ?? {};
    if (!removed || added) continue;
    const before = partForBug(parts, id)?.bugs.find((bug) => bug.id === id)?.groups;
    if (removed.split(", ").length === before?.length) ids.push(id);
  }
  return ids;
}
