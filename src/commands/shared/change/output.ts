import { bugMessage, bugsByMessage } from "../../../api/lists.ts";
import { isRefusedLogin } from "../../../api/response/response-errors.ts";
import { NOT_APPLIED_HINT } from "../../../api/write/changes.ts";
import { BtError, type ErrorKind, withDetails } from "../../../errors.ts";
import { writeOutputError } from "../../../io.ts";
import { note, openProgress } from "../../../session/note.ts";
import { changesText, changeTexts, namesWidth } from "../../../view/changes.ts";
import { listing } from "../../../view/listing.ts";
import { bugLabel, countText } from "../../../view/text.ts";
import type { Context } from "../../verb.ts";
import { isForCards, isJson } from "../output/print.ts";
import type { ChangeResult } from "./edit.ts";
import type { ChangeJob } from "./jobs.ts";
import {
  type ChangeRow,
  noteOverwritten,
  readLabels,
  resultColumns,
  resultRow,
  tallyText,
  unchangedText,
} from "./written.ts";

/** The bugs that results are of, as they are named, and the job of these. */
type Subject = Pick<ChangeJob, "name" | "isBulk" | "isGuarded"> & {
  readonly refs: readonly string[];
  readonly hasOldIds?: boolean; // of the bugs that new ones are filed from
};

/**
 * Opens the output of a change: results as they come, a diff or lines on a terminal, else rows; then
 * the tally, the undo line and the error. A failed output stops no change.
 */
export async function openResults(subject: Subject, context: Context) {
  const { io, output } = context;
  const { refs, name, hasOldIds = false } = subject;
  const list = isForCards(context)
    ? undefined
    : listing(output.format, resultColumns(context, { hasOldIds }), output.view);
  const fields = list ? [] : await readLabels(context);
  const columns = namesWidth(refs.map(bugLabel));
  const sheet = output.format === "json" ? output.open() : { write: io.out, end: async () => undefined };
  const results: ChangeResult[] = [];
  const hasOnlyError = () => refs.length === 1 && results.some(({ error }) => error); // and no row
  const progress = refs.length > 1 && !io.terminal.stdout ? openProgress(io) : undefined;
  let failure: unknown;
  const attempt = async (act: () => Promise<void>) => {
    if (failure !== undefined) return;
    await act().catch((error: unknown) => {
      failure = error;
    });
  };
  const write = (text: string) => attempt(async () => void (text !== "" && (await sheet.write(text))));
  const textOf = (row: ChangeRow): string => {
    if (list) return !["applied", "created"].includes(row.result) && output.format === "ids" ? "" : list.page([row]);
    if (row.error) return ""; // the error at the end names these
    const shown = { changed: [row], fields };
    return refs.length > 1 ? `${changeTexts(shown, output.view, columns)}\n` : changesText(shown, output.view);
  };
  return {
    add: async (result: ChangeResult) => {
      results.push(result);
      if (hasOnlyError()) return;
      const row = resultRow(result, name);
      await write((results.length === 1 ? (list?.head([row]) ?? "") : "") + textOf(row));
      await progress?.show(`${results.length} of ${countText(refs.length, "bug")}`);
    },
    end: async (): Promise<readonly ChangeResult[]> => {
      await progress?.clear();
      if (!hasOnlyError()) await write((results.length === 0 ? (list?.head([]) ?? "") : "") + (list?.tail() ?? ""));
      await attempt(() => sheet.end());
      await report(results, subject, context);
      if (failure === undefined) return results;
      const error = writeOutputError(failure);
      throw error instanceof BtError ? withDetails(error, [`already applied: ${tallyOf(results)}`]) : error;
    },
  };
}

/** Notes what was overwritten, the tally, how to undo. @throws BtError of the worst result */
async function report(results: readonly ChangeResult[], job: Subject, context: Context): Promise<void> {
  const { io } = context;
  for (const { overwritten = [] } of results) await noteOverwritten(overwritten, context);
  for (const { ref, bug, changed } of results) {
    const { removed, added } = changed?.changes["groups"] ?? {};
    if (removed && !added && removed.split(", ").length === bug?.groups?.length)
      await note(io, `bug ${ref} is now public`);
  }
  const error = worstError(results, job);
  if (!error && results.length > 1 && io.terminal.stderr) await note(io, tallyOf(results));
  const isUndoable = results.some(({ changed }) => Object.keys(changed?.changes ?? {}).length > 0);
  const isCertain = results.every(({ st }) => st !== "unknown"); // else to be sent first
  if (isCertain && job.isBulk && isUndoable && job.name !== undefined && !isJson(context))
    await note(io, `undo: bt bug undo --job ${job.name}`);
  if (error) throw error;
}

function tallyOf(results: readonly ChangeResult[]): string {
  const words = ["created", "applied", "unchanged", "refused", "unknown", "not tried"];
  const found = results.map(({ st }) => st);
  return tallyText(found, found.includes("created") ? words : words.slice(1));
}

/** The error that a change ends with: the error of the only bug, or an error with a line for each reason. */
function worstError(results: readonly ChangeResult[], job: Subject): BtError | undefined {
  const failed = results.filter(
    ({ error, ignored = [], dropped = [] }) => error || ignored.length + dropped.length > 0,
  );
  const [first] = failed;
  const isOverwritten = job.isGuarded && results.some(({ overwritten = [] }) => overwritten.length > 0);
  if (!first && isOverwritten)
    return new BtError("collision", "the change was applied, but overwrote a newer change", { changed: "some" });
  if (!first) return undefined;
  if (results.length === 1 && first.error) return first.error;
  const changed = results.some((one) => one.changed || MADE.has(one.st)) ? "some" : "nothing";
  const lines = failed.map(lineOf);
  const details = [...bugsByMessage(lines.slice(0, MAX_LINES)), ...(lines.length > MAX_LINES ? ["and more"] : [])];
  if (failed.every(({ error }) => !error)) {
    const [message = "", ...others] = details;
    return new BtError("partial", message, { details: others, hint: openHint(failed), changed });
  }
  return new BtError(worstKind(results, failed), tallyOf(results), {
    details,
    hint: continueHint(failed, job),
    changed,
  });
}

const MAX_LINES = 100;
const MADE: ReadonlySet<string> = new Set(["created", "applied", "unknown"]);

function lineOf({ ref, line, st, error, why, dropped, ignored = [] }: ChangeResult) {
  const bug = line === undefined || st === "created" ? ref : { line };
  if (ignored.length > 0 && !error) return { bug, message: `not applied: ${ignored.join(", ")}`, hint: undefined };
  if (!error) return { bug, message: unchangedText(st, why, dropped), hint: undefined };
  const reported = bugMessage(bug, error);
  return st === "refused" ? reported : { ...reported, message: `${st}: ${reported.message}` };
}

/** The hint for values that were not applied, or for a text that was not sent. */
function openHint(failed: readonly ChangeResult[]): string {
  const [first] = failed;
  if (!first?.dropped) return NOT_APPLIED_HINT;
  const ids = failed.filter(({ dropped }) => dropped).map(({ ref }) => ref);
  return `${first.dropped.includes("comment") ? "bt comment add" : "bt bug update"} ${ids.join(" ")}`;
}

/** The first that applies: unknown, the kind of all errors, the kind that ended the change, collision, partial. */
function worstKind(results: readonly ChangeResult[], failed: readonly ChangeResult[]): ErrorKind {
  const kinds = new Set(failed.map(({ error }) => error?.kind ?? "partial"));
  const [common = "partial"] = kinds;
  if (failed.some(({ st }) => st === "unknown")) return "unknown";
  if (failed.length === results.length && kinds.size === 1) return common;
  if (failed.some(({ error }) => error && isRefusedLogin(error.kind, error.facts.bugzillaCode))) return "auth";
  const isEnd = ({ st, error }: ChangeResult) =>
    error?.kind === "busy" || (st === "not tried" && ["network", "reply"].includes(error?.kind ?? ""));
  if (failed.some(isEnd)) return "busy";
  return kinds.has("collision") ? "collision" : "partial";
}

function continueHint(failed: readonly ChangeResult[], { name }: Subject): string | undefined {
  const isLeft = failed.some(({ st }) => st === "unknown" || st === "not tried");
  return isLeft && name !== undefined ? `bt job send ${name} continues with the others` : undefined;
}
