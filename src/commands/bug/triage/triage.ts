import type { FactStore } from "../../../api/fact-store.ts";
import { collectPages } from "../../../api/lists.ts";
import { foundBugs } from "../../../api/search/found-bugs.ts";
import { BtError, usage } from "../../../errors.ts";
import { type FlagValues, flagValues } from "../../../session/flags.ts";
import { noticeText } from "../../../view/messages.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { criteriaGiven, unlimitedCriteria } from "../../shared/criteria-flags.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { searchTools } from "../../shared/search-tools.ts";
import type { Context } from "../../verb.ts";
import { readCriteria } from "../search/criteria.ts";
import type { TriageInput } from "./input.ts";
import { onBug, readShown, report, type Shown, type Walk } from "./screen.ts";

/** `bt bug triage`: shows the bugs that match one by one, and sends the change that keys make to each. */
export async function triageBugs(input: TriageInput, context: Context): Promise<void> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) throw noTerminal();
  const criteria = await readCriteria(input, context, "triage");
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  const ids = (await collectPages(foundBugs(criteria, wanted, searchTools(context)))).map(({ id }) => id);
  if (ids.length === 0) return io.err("no bugs match\n");
  const walk = await beginWalk(ids, input, context);
  await walkOn(walk);
  await endWalk(walk);
}

function noTerminal(): BtError {
  const script = "in scripts: bt bug search is:open --format ids | bt bug update - --priority High";
  return usage("bug triage requires a terminal with prompts", script);
}

async function beginWalk(all: number[], input: TriageInput, context: Context): Promise<Walk> {
  const { session, io, output } = context;
  const criteria = criteriaKey(input);
  const before = new Set(input.restart ? [] : await handledBugs(criteria, session.facts.memory));
  const left = all.filter((id) => !before.has(id));
  const [ids, handled] = left.length === 0 ? [all, []] : [left, [...before]];
  const passed = all.length - ids.length;
  const note = `${passed} of ${all.length} bugs were handled before; --restart starts over`;
  if (passed > 0) await io.err(noticeText(note, output.view));
  const catalog = await session.metadata.catalog();
  return { input, context, catalog, criteria, ids, handled, failures: [], sent: undefined, updated: 0, skipped: 0 };
}

/** The criteria of a command line as a text that is equal for equal ones. */
function criteriaKey(input: TriageInput): string {
  const values: FlagValues = { ...criteriaGiven(input), sort: input.sort };
  const given: (readonly [name: string, value: FlagValues[string]])[] = [];
  for (const name of [...unlimitedCriteria().map((flag) => flag.name), "sort"])
    if (flagValues(values[name]).length > 0) given.push([name, values[name]]);
  return JSON.stringify([input.args, given]);
}

/** Shows the bugs of a walk; the next one is read while the user decides. */
async function walkOn(walk: Walk): Promise<void> {
  const { ids, context } = walk;
  let ahead: Promise<Shown> | undefined;
  for (const [at, id] of ids.entries()) {
    const shown = await (ahead ?? readShown(id, context)).catch((error) => passOver(error, walk));
    const next = ids[at + 1];
    ahead = next === undefined ? undefined : readShown(next, context);
    ahead?.catch(() => undefined); // reported when it is shown
    if (!shown) continue;
    if ((await onBug({ walk, shown, at, steps: [], failure: undefined, isListed: false })) === "leave") return;
    walk.handled.push(id);
    await storeWalk(walk, context.session.facts.memory);
  }
}

/** Reports a bug that is missing or hidden by now. */
async function passOver(error: unknown, { context }: Walk): Promise<undefined> {
  if (!(error instanceof BtError) || !["missing", "auth"].includes(error.kind)) throw error;
  await report(error, context);
}

/** Reports how far the walk came. @throws the first error of a change that was not sent, or may have been applied */
async function endWalk({ context, criteria, ids, handled, failures, updated, skipped }: Walk): Promise<void> {
  const { io, session, output } = context;
  const done = new Set(handled);
  const left = ids.filter((id) => !done.has(id)).length;
  if (left === 0) await storeWalk({ criteria, handled: [] }, session.facts.memory);
  const isKept = left > 0 && (await handledBugs(criteria, session.facts.memory)).length > 0;
  const rest = `${left} left${isKept ? "; run it again with the same criteria to continue" : ""}`;
  await io.err(noticeText(`${updated} updated, ${skipped} skipped, ${rest}`, output.view));
  if (failures[0]) throw failures[0];
}

/** Name of the walks in the cache of an account. */
const WALKS = "triage";

/** Bugs that were handled in a walk over the bugs that match criteria. */
type TriageWalk = { criteria: string; handled: number[] };

const MAX_WALKS = 20;

/** Bugs that an unfinished walk over the same criteria has handled. */
async function handledBugs(criteria: string, memory: FactStore): Promise<number[]> {
  return (await readWalks(memory)).find((walk) => walk.criteria === criteria)?.handled ?? [];
}

/** Stores the handled bugs of a walk; removes a walk without any. */
async function storeWalk({ criteria, handled }: TriageWalk, memory: FactStore): Promise<void> {
  const others = (await readWalks(memory)).filter((walk) => walk.criteria !== criteria);
  const walks = handled.length > 0 ? [{ criteria, handled }, ...others] : others;
  await memory.write(WALKS, { walks: walks.slice(0, MAX_WALKS) });
}

async function readWalks(memory: FactStore): Promise<TriageWalk[]> {
  const { walks } = ((await memory.read(WALKS)) ?? {}) as JsonObject;
  return Array.isArray(walks) ? (walks as TriageWalk[]).filter(isWalk) : [];
}

function isWalk(walk: Partial<TriageWalk> | null): boolean {
  return typeof walk?.criteria === "string" && Array.isArray(walk.handled);
}
