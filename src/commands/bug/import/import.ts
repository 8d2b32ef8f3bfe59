import { createHash } from "node:crypto";
import { bugsByMessage } from "../../../api/lists.ts";
import { updateRequest } from "../../../api/write/write-state.ts";
import { createdBug, type JobWrite } from "../../../jobs/job.ts";
import { continueJobs } from "../../../jobs/resume.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { countText } from "../../../view/text.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { timestamp } from "../../../wire/time.ts";
import { changeBugs } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import { reportNoTargets } from "../../shared/targets.ts";
import { readSourceBytes } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { ImportInput } from "../flags.ts";
import { readBugFile } from "./file.ts";
import { laterUpdates } from "./new-bugs.ts";
import { bodyOf, type ImportPlan, type PlannedRow, planImport } from "./plan.ts";

/** `bt bug import`: checks all rows of a file, previews them, and files and updates bugs. */
export async function importBugs(input: ImportInput, context: Context): Promise<void> {
  const [source = ""] = input.args;
  const bytes = await readSourceBytes(source, context);
  const file = readBugFile(bytes, source);
  const key = createHash("sha256")
    .update(bytes)
    .update(input.new ? "new" : "")
    .digest("hex")
    .slice(0, 32);
  const { session, io } = context;
  await continueJobs(key, { session, io, isDryRun: input.dryRun }, async (sent) => {
    const options = { isNew: input.new, commented: commentedIn(sent) };
    const plan = await withCatalog(session, (catalog) => planImport(file, options, { catalog, context }));
    const filed = filedIn(sent);
    const newIds = new Map<number, number>(); // by the ids in the file
    const isDuplicate = (one: PlannedRow) =>
      Number("copy" in one && one.copy?.moves.some(({ dupe_of }) => dupe_of) === true);
    const rows = plan.rows.toSorted((one, other) => isDuplicate(one) - isDuplicate(other)); // after their originals
    const edits = rows.flatMap((planned) => editOf(planned, filed, newIds));
    await noteRows(plan, context);
    const rest = restText(plan, filed, Math.max(...sent.map(({ at = 0 }) => at)));
    if (edits.length === 0) return void (await reportNoTargets(context, rest || "no rows"));
    if (rest) await note(io, rest);
    await changeBugs(edits, { ...input, ...IMPORT, key }, context);
  });
}

/** How many rows are left out, and why. */
function restText({ rows }: ImportPlan, filed: FiledBugs, time: number): string {
  const unchanged = rows.filter((one) => "edit" in one && one.edit === undefined).length;
  const before = rows.filter((one) => "create" in one && filed.has(String(one.row.number))).length;
  const parts = [
    unchanged > 0 && `${countText(unchanged, "row")} unchanged`,
    before > 0 && `${countText(before, "row")} imported before, at ${timestamp(time)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

const IMPORT = { command: "bug import", isConfirmed: true, areNamesChecked: true } as const;

/** Bugs that earlier runs filed, by the number of the row, with bodies of applied updates. */
type FiledBugs = ReadonlyMap<string, { readonly id: number; readonly updates: ReadonlySet<string> }>;

function filedIn(sent: readonly JobWrite[]): FiledBugs {
  const filed = new Map<string, { id: number; updates: Set<string> }>();
  for (const write of sent) {
    const [id, { key = "", request, st }] = [createdBug(write), write];
    if (id !== undefined) filed.set(key, { id, updates: new Set() });
    else if (st === "applied") filed.get(key)?.updates.add(JSON.stringify(request.body));
  }
  return filed;
}

/** The bugs that earlier runs commented on. */
function commentedIn(sent: readonly JobWrite[]): Set<number> {
  const applied = sent.filter(({ request, st }) => st === "applied" && Object(request.body)["comment"]);
  return new Set(applied.flatMap(({ before = [] }) => before.map(({ id }) => Number(id))));
}

/** The edit of a row; none if it is unchanged or complete. Rows know the new ids of earlier ones. */
function editOf(planned: PlannedRow, filed: FiledBugs, newIds: Map<number, number>): Edit[] {
  if ("edit" in planned) return planned.edit ? [planned.edit] : [];
  const { row, create, copy } = planned;
  const { id, updates } = filed.get(String(row.number)) ?? {};
  const complete = (given: number) => {
    if (copy?.oldId !== undefined) newIds.set(copy.oldId, given);
    const isSent = (body: JsonObject) => updates?.has(JSON.stringify(updateRequest([given], body).body));
    return copy ? laterUpdates(copy, newIds).filter((body) => !isSent(body)) : [];
  };
  if (id !== undefined && complete(id).length === 0) return [];
  return [{ line: row.line, create, key: String(row.number), id, oldId: copy?.oldId, complete }];
}

/** Notes about what is not imported, cleared or overwritten. */
async function noteRows({ rows, ignored, cleared, idle, hasTimes }: ImportPlan, { io }: Context): Promise<void> {
  const omitted = rows.reduce((sum, row) => sum + (("copy" in row && row.copy?.omitted) || 0), 0);
  const parts = [...ignored, ...(omitted > 0 ? [`${countText(omitted, "comment")} (private or too long)`] : [])];
  if (parts.length > 0) await note(io, `not imported: ${parts.join(", ")}`);
  if (idle > 0)
    await note(io, `${countText(idle, "empty cell")} without effect: only rows with last_change_time clear fields`);
  const lines = cleared.map(({ bug, name }) => ({ bug: String(bug.id), message: `${name} is cleared` }));
  for (const line of bugsByMessage(lines)) await note(io, line);
  const isSet = (row: PlannedRow) => "edit" in row && Object.keys(bodyOf(row)).some((name) => name !== "comment");
  if (!hasTimes && rows.some(isSet))
    await note(io, "no last_change_time column: newer changes by others are overwritten");
}
