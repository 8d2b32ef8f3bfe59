import { dirname } from "node:path";
import { requireField } from "../../api/catalog/catalog.ts";
import { legalValue, splitValues } from "../../api/catalog/legal-values.ts";
import { allOf } from "../../api/query/tree.ts";
import { isMirrorName } from "../../config/choose-tracker.ts";
import { folderToWrite, makeFolder } from "../../config/files.ts";
import { BtError, fileError, isKind, isNotOffered, usageError } from "../../errors.ts";
import { offlineChoice } from "../../mirror/connect.ts";
import { deleteMirror, mirrorPath } from "../../mirror/mirror-files.ts";
import { partChart } from "../../mirror/read-bugs.ts";
import { chartRow, type SearchRow } from "../../mirror/search.ts";
import { listAll } from "../../mirror/sync-changes.ts";
import { withCatalog } from "../../session/session.ts";
import { createMirror, type NewMirror, type OpenedMirror } from "../../tracker/mirror/open.ts";
import { privateBugsText } from "../../view/mirrors.ts";
import type { Context } from "../verb.ts";
import type { MirrorCreateInput } from "./flags.ts";
import { pacedSend, requestPauseMs, runSync } from "./run-sync.ts";

/** `bt mirror create`: creates the file, and reads all bugs that it is to have. */
export async function createMirrorFile(input: MirrorCreateInput, context: Context): Promise<void> {
  const [name = ""] = input.args;
  if (!isMirrorName(name))
    throw usageError(`invalid name ${JSON.stringify(name)}`, "use letters, digits, dots and dashes");
  const pace = requestPauseMs(input.rate);
  await requireRows(context);
  const facts = await readNewMirror(input, context);
  folderToWrite("data", context.io);
  const file = mirrorPath(name, context.io) ?? "";
  const opened = createOrFail({ name, file }, facts, context);
  try {
    await reportPrivate(name, { facts, pace }, context);
    await runSync({ name, file, opened }, pace, context);
    const { address: baseUrl, facts: tracker } = context.session;
    if (tracker.isInProcess) return; // --offline reads it itself
    const choice = offlineChoice(name, { baseUrl, login: facts.login }, context.io);
    if (choice) await context.io.err(`note: ${choice}\n`);
  } finally {
    const isBegun = opened.facts().mark !== null;
    opened.close();
    if (!isBegun) deleteMirror(file);
  }
}

/** @throws BtError of kind refused for a tracker that knows only the interface's own search parameters */
async function requireRows({ session: { facts } }: Context): Promise<void> {
  if (((await facts.rows.known()) ?? (await facts.rows.settleUnlessEmpty())) !== false) return;
  throw new BtError("refused", "this tracker cannot be mirrored: it ignores the rows of Bugzilla's search page", {
    hint: "a sync finds changed and hidden bugs by them; bt bug export --all writes all bugs to a file",
    changed: "nothing",
  });
}

async function readNewMirror(input: MirrorCreateInput, context: Context): Promise<NewMirror> {
  const { session } = context;
  return {
    tracker: session.address,
    login: await loginOrNull(session),
    products: await resolveMirrorProducts(input, context),
    attachments: input.attachments ?? "none",
    publicOnly: input.publicOnly,
    folding: input.collation ?? null,
  };
}

/** Names of the products, as the tracker spells them; none for all. */
async function resolveMirrorProducts({ product: texts }: MirrorCreateInput, { session }: Context): Promise<string[]> {
  if (texts.length === 0) return [];
  return withCatalog(session, async (catalog) => {
    const field = requireField(catalog, "product");
    const names = texts.flatMap((text) => splitValues(text, field));
    return [...new Set(names.map((name) => legalValue(field, name)))];
  });
}

/** The login, null for an anonymous user. @throws BtError of kind usage if there is a key whose login is unknown */
async function loginOrNull({ login, account }: Context["session"]): Promise<string | null> {
  const known = await login();
  if (known !== undefined) return known;
  if ((await account()).state === "anonymous") return null;
  throw usageError("your login on this tracker is unknown", "bt auth login");
}

type Announced = { facts: NewMirror; pace: number };

/** Reports how many bugs will be copied that not everybody may see, as far as the tracker can count them. */
async function reportPrivate(name: string, { facts, pace }: Announced, context: Context): Promise<void> {
  if (facts.publicOnly || facts.login === null) return;
  const send = pacedSend(pace, context);
  const count = async (row: SearchRow) => {
    const chart = allOf([partChart(facts), chartRow(row)]);
    const { times, failed } = await listAll({ chart }, { longest: 0 }, { send, facts }).catch(noneIfRefused);
    return times.size + failed.size;
  };
  const restricted = await count(["bug_group", "isnotempty", ""]);
  const withPrivateComments = await count(["longdescs.isprivate", "equals", "1"]);
  const text = privateBugsText(name, { restricted, withPrivateComments });
  if (text !== undefined) await context.io.err(`${text}\n`);
}

/** No bugs for a search that the tracker refuses: only insiders may search for private comments. */
function noneIfRefused(error: unknown) {
  if (isNotOffered(error) || isKind(error, "auth")) return { times: new Map(), failed: new Map() };
  throw error;
}

type Place = { name: string; file: string };

function createOrFail({ name, file }: Place, facts: NewMirror, { io }: Context): OpenedMirror {
  try {
    makeFolder(dirname(file));
    return createMirror(file, facts, { now: io.now, random: (count) => new Uint8Array(count) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw usageError(
        `the mirror ${name} already exists`,
        `bt mirror sync ${name} updates it; bt mirror drop ${name} deletes it`,
      );
    throw fileError("write", file, error);
  }
}
