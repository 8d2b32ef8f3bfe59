import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { chooseFields } from "../../api/bug-fields.ts";
import { get as getRequest, segment } from "../../api/operation.ts";
import { readBugs } from "../../api/read.ts";
import { BtError } from "../../errors.ts";
import { BUG_FIELDS, type Bug, EXTRA_BUG_FIELDS } from "../../wire/bug.ts";
import type { Context } from "../context.ts";
import { formatOf, isForEyes, showList, showText } from "../show.ts";
import { account, bugTargets } from "../targets.ts";
import type { Input } from "../verb.ts";

/** `bt bug get`: asks for all named bugs in few requests, prints them in the order asked, and accounts for each. */
export async function get(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  if (input.flags["web"]) return openBugs(refs, context);
  const wanted = await wantedFields(context);
  const outcomes: Outcome<Bug>[] = [];
  for await (const batch of askEach(refs, bugPlan(wanted.include), context.tracker.ask)) outcomes.push(...batch);
  const bugs = outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
  if (bugs.length > 0) await show(bugs, context, wanted.keys);
  account(outcomes);
}

/** The keys to show when some were chosen, and what `include_fields` asks for. */
type Wanted = { readonly keys?: readonly string[]; readonly include: readonly string[] };

async function wantedFields(context: Context): Promise<Wanted> {
  const { fields } = context.output;
  if (fields) return chooseFields(fields, context.tracker.catalog);
  const format = formatOf(context);
  if (["table", "json", "ndjson"].includes(format)) return { include: ["_default"] };
  const { neededFields, usualBugColumns } = await import("../../view/bug-columns.ts");
  return { include: neededFields(usualBugColumns(format, context.output.view)) };
}

async function show(bugs: readonly Bug[], context: Context, keys: readonly string[] | undefined): Promise<void> {
  if (isForEyes(context) && !keys) return showCards(bugs, context);
  const { bugColumn, usualBugColumns } = await import("../../view/bug-columns.ts");
  const format = formatOf(context);
  const shown = keys ?? (format === "json" || format === "ndjson" ? keysOf(bugs) : undefined);
  const known = shown?.some((key) => key.startsWith("cf_")) && format === "table" ? await context.tracker.fields() : [];
  const columns = shown?.flatMap((key) => bugColumn(key, known) ?? []) ?? usualBugColumns(format, context.output.view);
  await showList(context, { columns, pages: [bugs] });
}

async function showCards(bugs: readonly Bug[], context: Context): Promise<void> {
  const [{ bugCard }, { separated }, fields, related] = await Promise.all([
    import("../../view/bug-card.ts"),
    import("../../view/card.ts"),
    context.tracker.fields(),
    relatedBugs(bugs, context),
  ]);
  const cards = bugs.map((bug) => bugCard({ bug, fields, related }, context.output.view));
  await showText(context, separated(cards, context.output.view));
}

/** The bugs that the shown ones depend on, block or repeat, as far as they are visible: a card tells how they stand. */
async function relatedBugs(bugs: readonly Bug[], context: Context): Promise<ReadonlyMap<number, Bug>> {
  const ids = new Set(
    bugs.flatMap((bug) => [...(bug.depends_on ?? []), ...(bug.blocks ?? []), ...(bug.dupe_of ? [bug.dupe_of] : [])]),
  );
  if (ids.size === 0) return new Map();
  const answer = await context.tracker.ask(
    getRequest("/rest/bug", [
      ["id", [...ids].slice(0, MOST_RELATED).join(",")],
      ["include_fields", "id,status,resolution,is_open,summary"],
      ["limit", String(MOST_RELATED)],
    ]),
  );
  return new Map(readBugs(answer).map((bug) => [bug.id ?? 0, bug]));
}

const MOST_RELATED = 500;

/** Every key that came, standard ones first and in the order of the specification. */
function keysOf(bugs: readonly Bug[]): readonly string[] {
  const came = new Set(bugs.flatMap((bug) => Object.keys(bug)));
  const standard = [...Object.keys(BUG_FIELDS), ...Object.keys(EXTRA_BUG_FIELDS)];
  return [...standard.filter((key) => came.has(key)), ...[...came].filter((key) => !standard.includes(key)).sort()];
}

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const { openInBrowser } = await import("../browser.ts");
  if (!/^https?:/.test(context.tracker.address)) {
    throw new BtError("usage", `${context.tracker.address} has no web interface`, { changed: "nothing" });
  }
  for (const ref of refs) await openInBrowser(`${context.tracker.address}/show_bug.cgi?id=${segment(ref)}`, context);
}

/** How bugs are read by id and alias: one by its path, several in one request. */
export function bugPlan(include: readonly string[]): BatchPlan<Bug> {
  const fields = [...new Set([...include, "id", "alias"])].join(",");
  return {
    request: ([first = "", ...rest]) =>
      getRequest(`/rest/bug/${segment(first)}`, [
        ...rest.map((ref) => ["ids", ref] as const),
        ["include_fields", fields],
      ]),
    read: (answer) => readBugs(answer).map((thing) => ({ thing, isOf: (ref) => isNamed(thing, ref) })),
  };
}

/** Whether a bug goes by a name: its number, or one of its aliases in any letter case. */
export function isNamed(bug: { readonly id?: number | null; readonly alias?: unknown }, ref: string): boolean {
  const aliases = [bug.alias ?? []].flat();
  return String(bug.id) === ref || aliases.some((alias) => String(alias).toLowerCase() === ref.toLowerCase());
}
