import { randomBytes } from "node:crypto";
import { clearCaches } from "../../config/cache.ts";
import { chooseTracker } from "../../config/choose-tracker.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import { openEmbedded } from "../../session/embedded.ts";
import { note } from "../../session/note.ts";
import { applyDocument, formatDocument } from "../../tracker/setup/document.ts";
import { idByName } from "../../tracker/setup/kinds.ts";
import type { Store } from "../../tracker/store/store.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../tracker/users/authenticate.ts";
import { Fault } from "../../tracker/values.ts";
import { plain } from "../../view/text.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import { chosenColumns, isJson, jsonText, showList, showText, wireColumns } from "../shared/output/print.ts";
import { readSource } from "../shared/text.ts";
import { type Context, KEY_COLUMNS } from "../verb.ts";

/** Input of every verb of `bt admin`: the data of a tracker. */
type DataInput = {
  args: string[];
  readonly data?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
};

/** Input of `bt admin key`. */
type KeyInput = DataInput & { readonly description?: string | undefined; readonly revoke?: number | undefined };

/** `bt admin apply`: applies a document, and prints the changes. */
export async function applySetupDocument(input: DataInput, context: Context): Promise<void> {
  const document = await readSource(input.args[0] ?? "", context);
  const lines = await withStore("create", input, context, (store) =>
    applyDocument(store, trackerRuntime(context), document),
  );
  clearCaches("fields", context.io); // bt serve may be using this file
  if (lines.length === 0) await note(context.io, "no changes");
  await context.io.out(lines.map((line) => `${plain(line)}\n`).join(""));
}

/** `bt admin export`: prints the setup as a document. */
export async function exportSetup(input: DataInput & { readonly json: boolean }, context: Context): Promise<void> {
  const format = input.json ? "json" : "yaml";
  await showText(context, await withStore("read", input, context, (store) => formatDocument(store, format)));
}

/** `bt admin key`: creates, lists and revokes API keys. */
export async function manageKeys(input: KeyInput, context: Context): Promise<void> {
  const { revoke, description = "" } = input;
  const [login] = input.args;
  if (login !== undefined && revoke !== undefined) throw usageError("--revoke takes the number of a key, and no login");
  if (revoke !== undefined) return withStore("change", input, context, (store) => revokeApiKey(store, revoke));
  if (login === undefined) return showKeys(input, context);
  const key = await withStore("change", input, context, (store) =>
    createApiKey(store, trackerRuntime(context), idByName(store, "users", login), description),
  );
  await showText(context, isJson(context) ? jsonText({ login, key }, context) : `${key}\n`);
}

async function showKeys(input: DataInput, context: Context): Promise<void> {
  const keys = await withStore("read", input, context, listApiKeys);
  const columns = wireColumns<(typeof keys)[number]>(KEY_COLUMNS);
  await showList(context, { columns: chosenColumns(columns, context), pages: [keys] });
}

/** Runs an action on the data of the tracker; "create" makes a file that is missing. A fault becomes an error. */
async function withStore<Result>(
  access: "read" | "change" | "create",
  input: DataInput,
  context: Context,
  action: (store: Store) => Result,
): Promise<Result> {
  const { io } = context;
  const tracker = await openEmbedded(dataAddress(input, context), { mayCreate: access === "create", isKept: true }, io);
  try {
    const result = action(tracker.store);
    if (access !== "read") await tracker.noteChange();
    return result;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new BtError(error.code === ERROR_CODES.object_does_not_exist ? "missing" : "refused", error.message, {
      bugzillaCode: error.code,
    });
  } finally {
    tracker.close();
  }
}

/** What the tracker takes from its machine. */
function trackerRuntime({ io }: Context) {
  return { now: io.now, random: (count: number) => randomBytes(count) };
}

/** Address of the tracker in the file of --data, else of the tracker that other commands use, else of `local:`. */
function dataAddress({ data: file, baseUrl, profile }: DataInput, { io }: Context): string {
  if (file !== undefined) {
    if (baseUrl !== undefined) throw usageError("--data and --base-url cannot be used together");
    if (profile !== undefined) throw usageError("--data and --profile cannot be used together");
    return `local:${file}`;
  }
  const settings = { base_url: "local:", ...readSettings(io) };
  const { place } = chooseTracker({ baseUrl, profile }, io.env, settings);
  if (place.kind === "mirror") throw usageError(`bt admin cannot change mirror:${place.name}`, `add ${DATA_EXAMPLE}`);
  if (place.kind === "network") {
    throw usageError(
      `bt admin needs a tracker in a file, not ${place.baseUrl}`,
      `add --base-url local: for the default file, or ${DATA_EXAMPLE}`,
    );
  }
  return place.address;
}

const DATA_EXAMPLE = "--data /path/to/file.db";
