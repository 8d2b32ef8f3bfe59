import { grouped } from "../../api/lists.ts";
import { newBug, pendingBug } from "../../api/offline/pending-bug.ts";
import { isTemporaryName, standInId, temporaryName, withRealNumbers } from "../../api/offline/temporary-names.ts";
import { GET_BUG } from "../../api/operations/bugs.ts";
import { pathValues } from "../../api/operations/known-operations.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { requestBody } from "../../api/write/update-request.ts";
import type { Io } from "../../io.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { Session } from "../session.ts";
import { allOfflineJobs, createdNumbers, type OfflineJob, openOfflineJobs, openTargets } from "./kept-jobs.ts";

/** Reads from a mirror: bugs as they will be after the pending jobs, and new bugs under their temporary names. */
export function withPending(session: Session, io: Io): SendRequest {
  return async (request) => {
    if (request.operation !== "Get Bug") return session.ask(request);
    const waiting = openOfflineJobs(io, session.address);
    const numbers = createdNumbers(allOfflineJobs(io, session.address));
    const created = new Map(waiting.flatMap((job) => (job.head.offline.name ? [[job.head.offline.name, job]] : [])));
    const refs = bugsIn(request).map((ref) => ({ ref, number: numbers.get(ref), job: created.get(ref) }));
    const old = refs.filter(({ job, number }) => job === undefined || number !== undefined);
    const found = await oldBugs(old, request, session.ask);
    const catalog = refs.length > 0 && waiting.length > 0 ? await session.catalog() : undefined;
    if (catalog === undefined) return { ...found.answer, bugs: found.bugs as readonly JsonObject[] };
    const ids = new Map([...created.keys()].map((name) => [name, standInId(name)] as const));
    const bodyOf = ({ head }: OfflineJob) => requestBody(withRealNumbers(head.request, ids));
    const fresh = refs.flatMap(({ ref, job, number }) =>
      job && number === undefined ? [newBug(ref, bodyOf(job), catalog)] : [],
    );
    const updates = updatesByBug(waiting);
    const after = [...found.bugs, ...fresh].map((bug) =>
      namesOf(bug)
        .flatMap((name) => updates.get(name) ?? [])
        .reduce((one, { job }) => pendingBug(one, bodyOf(job), catalog), bug),
    );
    return { ...found.answer, bugs: after as readonly JsonObject[] };
  };
}

/** The bugs that a request names: those with a temporary name by that. */
function bugsIn(request: Request): readonly string[] {
  const listed = request.query.flatMap(([name, value]) => (name === "ids" ? [value] : []));
  const inPath = pathValues(request)["id_or_alias"];
  return [...(inPath ? [inPath] : []), ...listed].map((ref) => {
    const number = Number(ref) - standInId("");
    return number > 0 ? temporaryName(number) : ref;
  });
}

type NamedBug = { readonly ref: string; readonly number: number | undefined };

/** The bugs in the mirror; one requested by its former temporary name has that as an alias. */
async function oldBugs(named: readonly NamedBug[], request: Request, ask: SendRequest) {
  if (named.length === 0) return { answer: {}, bugs: [] };
  const include = request.query.find(([name]) => name === "include_fields")?.[1];
  const ids = named.map(({ ref, number }) => String(number ?? ref));
  const answer = (await ask(requestFor(GET_BUG, { ids, include_fields: include }))) as JsonObject;
  const former = (id: number | null | undefined) => named.filter(({ number }) => number === id).map(({ ref }) => ref);
  const bugs = readBugs(answer).map((bug): Bug => {
    const names = former(bug.id);
    return names.length === 0 ? bug : { ...bug, alias: [...(bug.alias ?? []), ...names] };
  });
  return { answer: answer as Readonly<Record<string, Json>>, bugs };
}

/** The updates that wait, in order, by the bugs that they have still to change. */
function updatesByBug(waiting: readonly OfflineJob[]) {
  const updates = waiting.filter(({ head }) => head.request.operation === "Update Bug");
  const pairs = updates.flatMap((job) => openTargets(job).map((bug) => ({ bug, job })));
  return grouped(pairs, ({ bug }) => bug);
}

function namesOf({ id, alias }: Bug): readonly string[] {
  return [String(id), ...(alias ?? []).filter(isTemporaryName)];
}
