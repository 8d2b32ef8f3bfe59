import { legalValue, requireField, splitValues } from "../../api/catalog/catalog.ts";
import { firstNames } from "../../api/lists.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { isSameLogin } from "../../api/people.ts";
import { readResponse } from "../../api/response/response.ts";
import { isMirrorName } from "../../config/choose-tracker.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, usageError, withFacts } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { mirrorsOf, readMirrors } from "../../mirror/connect.ts";
import {
  existingMirrorPath,
  listMirrorNames,
  makeMirror,
  openMirror,
  removeMirror,
  withMirror,
} from "../../mirror/files.ts";
import type { Store } from "../../mirror/store.ts";
import { syncMirror } from "../../mirror/sync.ts";
import type { Account } from "../../session/account.ts";
import { flagsForTracker } from "../../session/connect.ts";
import { isTrackerNamed, type SessionFlags } from "../../session/flags.ts";
import { note, openProgress } from "../../session/note.ts";
import { withCatalog } from "../../session/session.ts";
import { MIRROR_COLUMNS } from "../../view/mirrors.ts";
import { countText } from "../../view/text.ts";
import type { Request } from "../../wire/exchange.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, showListOrNone } from "../shared/output/print.ts";
import { confirmTask } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

type MirrorCreateInput = SharedInput & {
  readonly product: readonly string[];
  readonly attachments?: "none" | "all" | undefined;
};

/** `bt mirror create`: makes the file, and reads all bugs that it is to have. */
export async function createMirror(input: MirrorCreateInput, context: Context): Promise<void> {
  const { io, session } = context;
  const [name = ""] = input.args;
  if (!isMirrorName(name))
    throw usageError(`invalid name ${JSON.stringify(name)}`, "use letters, digits, dots and dashes");
  const tracker = session.address;
  const products = await readProductNames(input, context);
  const login = requireLogin(await session.account());
  const existing = mirrorsOf(tracker, readMirrors(io)).find(({ facts }) => isSameLogin(facts.login, login));
  if (existing)
    throw usageError(
      `the mirror ${existing.name} is of this tracker and login already`,
      `bt mirror sync ${existing.name} updates it; bt mirror drop ${existing.name} deletes it`,
    );
  const store = makeMirror(name, { tracker, login, products, attachments: input.attachments ?? "none" }, io);
  try {
    await runSync(name, store, context);
  } finally {
    const isRemoved = isUnread(store);
    store.close();
    if (isRemoved) removeMirror(name, io);
  }
}

/** Names of the products of --product, as the tracker spells them; [] for all products. */
async function readProductNames({ product: texts }: MirrorCreateInput, { session }: Context): Promise<string[]> {
  return withCatalog(session, async (catalog) => {
    const field = requireField(catalog, "product");
    const names = texts.flatMap((text) => splitValues(text, field));
    return [...new Set(names.map((name) => legalValue(field, name)))];
  });
}

/** The login, null for an anonymous user. @throws BtError if the key is ignored or refused, or its login is unknown */
function requireLogin({ state, login, error }: Account): string | null {
  if (error) throw error;
  if (state === "anonymous") return null;
  if (login !== undefined) return login;
  throw usageError("your login on this tracker is unknown", "bt auth login");
}

/** `bt mirror list`. */
export async function listMirrors(_: SharedInput, context: Context): Promise<void> {
  const rows = readMirrors(context.io, false).map((mirror) => {
    if ("error" in mirror) return { name: mirror.name, state: mirror.error.message };
    const { name, facts, bugs } = mirror;
    return { name, ...facts, synced: facts.lastSync, bugs, state: facts.lastSync === null ? "incomplete" : "complete" };
  });
  await showListOrNone(context, { columns: chosenColumns(MIRROR_COLUMNS, context), pages: [rows] }, "no mirrors");
}

/** `bt mirror drop`: deletes the file of a mirror. */
export async function dropMirrorNamed(input: SharedInput & { readonly yes: boolean }, { io }: Context): Promise<void> {
  const [name = ""] = input.args;
  existingMirrorPath(name, io); // refuses an unknown name before any prompt
  const prompting = { io, settings: readSettings(io) };
  if (!input.yes && !(await confirmTask(`delete the mirror ${name}`, [], input, prompting)))
    throw new BtError("guard", "nothing deleted");
  await withMirror(name, async () => removeMirror(name, io), io);
  await note(io, `dropped the mirror ${name}`);
}

/** Tracker flags of a sync: those of the mirror, unless flags or the environment name a tracker. */
export async function flagsForSync(input: SharedInput, { io }: { io: Io }): Promise<SessionFlags> {
  if (isTrackerNamed(input, io)) return input;
  const store = openMirror(nameToSync(input, io), io, input.insecureFiles);
  try {
    return flagsForTracker(store.facts().tracker, input, io);
  } finally {
    store.close();
  }
}

/** The named mirror, else the only one. @throws BtError of kind usage if there is none, or several */
function nameToSync({ args: [name] }: SharedInput, io: Io): string {
  const [only, ...others] = name === undefined ? listMirrorNames(io) : [name];
  if (only === undefined) throw usageError("no mirrors", "to create one: bt mirror create NAME");
  if (others.length > 0) throw usageError("there are several mirrors", `name one: ${[only, ...others].join(", ")}`);
  return only;
}

/** `bt mirror sync`. */
export async function syncMirrorNamed(input: SharedInput, context: Context): Promise<void> {
  const { io, session } = context;
  const name = nameToSync(input, io);
  const store = openMirror(name, io, input.insecureFiles);
  try {
    if (store.facts().tracker !== session.address)
      throw usageError(`the mirror ${name} is not of ${session.address}`, "bt mirror list lists the mirrors");
    await runSync(name, store, context);
  } finally {
    store.close();
  }
}

/** Updates an opened mirror, and reports what it has. @throws BtError of kind local if another process updates it */
async function runSync(name: string, store: Store, { io, session }: Context): Promise<void> {
  const isFirst = store.facts().mark === null;
  const sendHiding = async (request: Request) => {
    const response = await session.exchange(request);
    return readResponse({ ...response, body: io.hide(response.body) }, request); // without a key that a tracker repeats
  };
  const { lists } = session.send;
  const send: SendRequest = Object.assign(sendHiding, lists && { lists });
  const progress = openProgress(io);
  const onProgress = async (done: number, of: number) => {
    if (io.signal.aborted) throw new BtError("partial", `the mirror ${name} is incomplete: interrupted`);
    await progress.show(`${name}: ${done} of ${countText(of, "bug")} read`);
  };
  const login = async () => requireLogin(await session.account("anew"));
  const sync = () =>
    syncMirror({ store, send, searches: session.searches, login, now: io.now, onProgress }).finally(store.emptyLog);
  try {
    const result = await withMirror(name, sync, io);
    store.setFacts({ hasPages: session.webAddress() !== undefined });
    const summary = `${name}: ${isFirst ? countText(result.added, "bug") : changesText(result)}`;
    const failed = result.failed.map(String);
    if (failed.length > 0) throw new BtError("partial", `${summary}, not read: ${firstNames(failed)}`);
    await progress.clear();
    await note(io, summary);
  } catch (error) {
    if (!(error instanceof BtError) || error.facts.hint !== undefined || isUnread(store)) throw error;
    throw withFacts(error, { hint: `bt mirror sync ${name} continues` });
  }
}

/** True for a mirror without bugs whose first sync failed; it is removed. */
function isUnread(store: Store): boolean {
  return store.changeTimes().size === 0 && store.facts().lastSync === null;
}

/** "3 bugs changed, 1 new, 2 removed"; new and removed bugs only if there are any. */
function changesText({ added, changed, removed }: Record<"added" | "changed" | "removed", number>): string {
  const parts = [`${countText(changed, "bug")} changed`];
  if (added > 0) parts.push(`${added} new`);
  if (removed > 0) parts.push(`${removed} removed`);
  return parts.join(", ");
}
