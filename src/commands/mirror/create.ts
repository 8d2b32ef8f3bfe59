import { dirname } from "node:path";
import { isInsider } from "../../api/insider.ts";
import { type ChangeSearch, listAll } from "../../api/mirror/changes.ts";
import { mirrorCriteria } from "../../api/mirror/compare-ids.ts";
import { type SearchRow, withRows } from "../../api/mirror/search.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { type CompiledQuery, compileQuery } from "../../api/query/compile.ts";
import { negatedChanges } from "../../api/query/hidden-changes.ts";
import { isGroup, type Query } from "../../api/query/tree.ts";
import { unparseQuery } from "../../api/query/unparse.ts";
import { folderToWrite, makeFolder } from "../../config/files.ts";
import { isMirrorName, mirrorFile } from "../../config/mirror-files.ts";
import { BtError, fileError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import { createMirror, type NewMirror, type OpenedMirror } from "../../tracker/mirror/open.ts";
import { privateBugsText } from "../../view/mirrors.ts";
import type { TextFolding } from "../../wire/mirror.ts";
import { withSaved } from "../bug/search.ts";
import { type Criteria, readCriteria } from "../bug/search-criteria.ts";
import type { Context, Input } from "../verb.ts";
import { deleteMirror } from "./drop.ts";
import { paced, paceOf, runSync } from "./run-sync.ts";

/** `bt mirror create`: creates the file, and reads all bugs that it is to have. */
export async function createMirrorFile(input: Input, context: Context): Promise<void> {
  const [name = "", ...terms] = input.args;
  if (!isMirrorName(name)) throw usage(`invalid name ${JSON.stringify(name)}`, "use letters, digits, dots and dashes");
  const pace = paceOf(input);
  const searched = await withSaved({ args: terms, flags: { ...input.flags, all: true } }, context);
  const facts = await factsOf(await readCriteria(searched, context), input, context);
  folderToWrite("data", context.io);
  const file = mirrorFile(name, context.io) ?? "";
  const opened = create({ name, file }, facts, context);
  try {
    await announcePrivate(name, { facts, pace }, context);
    await runSync({ name, file, opened }, { pace }, context);
  } finally {
    const isBegun = opened.facts().mark !== null;
    opened.close();
    if (!isBegun) deleteMirror(file);
  }
}

async function factsOf(criteria: Criteria, { flags }: Input, { session }: Context): Promise<NewMirror> {
  const { query } = criteria;
  const compiled = compileQuery(query, { serverZone: criteria.zone });
  checkCriteria(compiled);
  await checkChanges(query, session);
  const isAll = isGroup(query) && query.kind === "all" && query.of.length === 0;
  const pairs = isAll ? [] : compiled.query;
  const publicOnly = flags["public-only"] === true;
  return {
    tracker: session.address,
    login: await ownLogin(session),
    criteria: isAll ? "" : unparseQuery(query as Query),
    compiled: JSON.stringify(publicOnly ? withRows(pairs, [["bug_group", "isempty", ""]]) : pairs),
    attachments: flagValue(flags["attachments"]) === "all" ? "all" : "none",
    publicOnly,
    folding: (flagValue(flags["collation"]) ?? null) as TextFolding | null,
  };
}

function checkCriteria({ rest }: CompiledQuery): void {
  if (rest === undefined) return;
  throw usage(
    `the tracker cannot select bugs by: ${unparseQuery(rest)}`,
    "omit that condition; use it in searches of the mirror",
  );
}

/**
 * Refuses conditions for which servers also return bugs with private changes to logins that may not see these.
 * @throws BtError of kind usage
 */
async function checkChanges(query: Criteria["query"], { ask }: Context["session"]): Promise<void> {
  if (negatedChanges(query).length === 0 || (await isInsider(ask))) return;
  throw usage(
    'servers return too many bugs for "not" with this condition on changes to logins that may not see private comments',
    "omit that condition; use it in searches of the mirror",
  );
}

/** The login, null for an anonymous user. @throws BtError of kind usage if there is a key whose login is unknown */
async function ownLogin({ login, access }: Context["session"]): Promise<string | null> {
  const known = await login();
  if (known !== undefined) return known;
  if ((await access?.key()) === undefined) return null;
  throw usage("your login on this tracker is unknown", "bt auth login");
}

type Announced = { readonly facts: NewMirror; readonly pace: number };

/** Reports how many bugs will be copied that not everybody may see, as far as the tracker can count them. */
async function announcePrivate(name: string, { facts, pace }: Announced, context: Context): Promise<void> {
  if (facts.publicOnly || facts.login === null) return;
  const ask = paced(pace, context);
  const criteria = mirrorCriteria(facts);
  const count = (row: SearchRow) => countIfAble({ criteria, rows: [row] }, ask);
  const restricted = await count(["bug_group", "isnotempty", ""]);
  const withPrivateComments = await count(["longdescs.isprivate", "equals", "1"]);
  const text = privateBugsText(name, { restricted, withPrivateComments });
  if (text !== undefined) await context.io.err(`${text}\n`);
}

/** The number of bugs of a search; 0 if the tracker refuses it: only insiders may search for private comments. */
async function countIfAble(search: ChangeSearch, ask: SendRequest): Promise<number> {
  try {
    const { times, failed } = await listAll(search, { longest: 0 }, ask);
    return times.size + failed.size;
  } catch (error) {
    if (error instanceof BtError && ["auth", "refused", "missing", "reply"].includes(error.kind)) return 0;
    throw error;
  }
}

type Place = { readonly name: string; readonly file: string };

function create({ name, file }: Place, facts: NewMirror, { io }: Context): OpenedMirror {
  try {
    makeFolder(dirname(file));
    return createMirror(file, facts, { now: io.now, random: (count) => new Uint8Array(count) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw usage(
        `the mirror ${name} already exists`,
        `bt mirror sync ${name} updates it; bt mirror drop ${name} deletes it`,
      );
    throw fileError("write", file, error);
  }
}
