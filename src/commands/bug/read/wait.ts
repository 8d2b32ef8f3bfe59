import { foundThings, requestAll } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { waitText } from "../../../wire/exchange.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { chooseBugColumns, showList } from "../../shared/output/print.ts";
import { readTargets, reportNoTargets } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { WaitInput } from "../flags.ts";

/**
 * `bt bug wait`: polls until bugs match, and prints those that do.
 * @throws BtError of kind no if they do not match in time
 */
export async function waitForBugs(input: WaitInput, context: Context): Promise<void> {
  const { io, session } = context;
  const within = readDuration("within", input.within) ?? Number.POSITIVE_INFINITY;
  const ids = await readIds(input.args.filter(isBug), context);
  if (ids.length === 0) return reportNoTargets(context);
  const terms = input.args.filter((word) => !isBug(word));
  const criteria = await readCriteria(
    { args: terms.length > 0 ? terms : ["is:closed"], parameters: { id: [ids.join(",")] } },
    context,
  );
  const columns = await chooseBugColumns(context);
  const include = ["id", ...columns.flatMap((column) => column.needs)];
  const start = io.ticks();
  let found: Bug[] = [];
  for (let pause = FIRST_PAUSE_MS; !io.signal.aborted; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const left = within - (io.ticks() - start);
    found = await collectPages(session.searches.pages(criteria, { include })).catch(async (error) => {
      if (left <= 0) throw error;
      await reportUnreachable(error, context);
      return [];
    });
    if (found.length >= ids.length || left <= 0) break;
    await io.sleep(Math.min(pause, left));
  }
  if (io.signal.aborted) return;
  if (found.length > 0) await showList(context, { columns, pages: [found] });
  const rest = ids.filter((id) => !found.some((bug) => bug.id === id));
  if (rest.length === 0) return;
  const bugs = `${rest.length === 1 ? "bug" : "bugs"} ${rest.join(", ")}`;
  throw new BtError("no", `no match within ${waitText(within)}: ${bugs}`);
}

const FIRST_PAUSE_MS = 5000;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 300_000;

/** True for a word that names bugs; any other is part of the condition. */
function isBug(word: string): boolean {
  return word === "-" || /^#?\d+(?:,#?\d+)*,?$|^https?:/.test(word);
}

/** Ids of the bugs to wait for. @throws BtError of the first bug that is not visible */
async function readIds(words: string[], context: Context): Promise<number[]> {
  if (words.length === 0) throw usageError("no bugs to wait for", "bt bug wait 12 is:closed");
  const refs = await readTargets(words, context);
  const outcomes = await requestAll(refs, bugPlan(["id"]), context.session.send);
  for (const outcome of outcomes) if ("error" in outcome) throw outcome.error;
  return [...new Set(foundThings(outcomes).map(({ id }) => id))];
}

/**
 * A duration of a flag: `90s`, `30m`, `1h`, `2d`; in milliseconds. Undefined if it is not given.
 * @throws BtError of kind usage
 */
export function readDuration(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (MS[unit ?? ""] ?? 0);
  if (ms > 0) return ms;
  throw usageError(`--${flag} ${JSON.stringify(text)} is not a duration`, "use 90s, 30m, 1h or 2d");
}

const MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reports an error that passes by itself, such as an unreachable tracker; throws any other. */
export async function reportUnreachable(error: unknown, { io }: Context): Promise<void> {
  if (!isKind(error, "network", "busy") || io.signal.aborted) throw error;
  await note(io, `${error.message}; checking again`);
}
