import { randomBytes } from "node:crypto";
import { isTypo, nearestNames, suggestNames } from "../../api/nearest.ts";
import { clearCaches } from "../../config/cache.ts";
import { addressText, chooseTracker } from "../../config/choose-tracker.ts";
import { folderToWrite } from "../../config/files.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, usage } from "../../errors.ts";
import type { MissingFile } from "../../session/connection.ts";
import { openEmbeddedData } from "../../session/embedded.ts";
import { flagValue } from "../../session/flags.ts";
import { ADMIN_OPERATIONS, type BoundAdminOperation, bindAdminOperations } from "../../tracker/admin/admin.ts";
import { documentAsJson } from "../../tracker/admin/document.ts";
import type { AdminArguments, AdminParameter } from "../../tracker/admin/operation.ts";
import { Fault } from "../../tracker/http/fault.ts";
import { plain } from "../../view/text.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { sourceText } from "../input-text.ts";
import { chosenColumns, outputFormat, showList, showText, wireColumns } from "../output.ts";
import { mayPrompt } from "../prompts.ts";
import { utf8 } from "../targets.ts";
import type { Context, Input } from "../verb.ts";

/** `bt admin`: runs an administrative operation, or lists them. */
export async function runAdmin(input: Input, context: Context): Promise<void> {
  const [noun, verb, ...words] = input.args;
  if (noun === undefined || verb === undefined) return showText(context, operationsText(noun));
  checkOperation(noun, verb);
  const { dataDirectory, address } = placeOf(input, context);
  const random = (count: number) => randomBytes(count);
  const place = { now: context.io.now, random, dataDirectory, missing: missingFile(address, verb) };
  const opened = await openEmbeddedData(address, place, { err: context.io.err, another: ANOTHER });
  try {
    const operations = bindAdminOperations(opened.store, {
      now: context.io.now,
      random,
    });
    const operation = operations.find((one) => one.noun === noun && one.verb === verb) as BoundAdminOperation;
    const result = run(operation, await givenFrom(operation, words, context));
    if (!READS.includes(verb)) clearCaches("fields", context.io); // bt serve may be using this file
    if (address === "demo:" && !READS.includes(verb)) await context.io.err(DEMO_NOTE);
    if (noun === "setup" && verb === "load") await context.io.err(`${loadedText(result)}\n`);
    else await showResult(result, operation, context);
  } finally {
    opened.close();
  }
}

const ANOTHER = "--data /path/to/file.db";

const DEMO_NOTE =
  "the demo is in memory, so the change is lost when this command ends; use --base-url local: to keep it\n";

/** Operations that change nothing. */
const READS = ["list", "show"];

/** Operations that create the file of a tracker at a path; others are about what exists. */
const CREATES = ["add", "load"];

function missingFile(address: string, verb: string): MissingFile {
  return address === "local:" || CREATES.includes(verb) ? "create" : "refuse";
}

/** The file of --data, else of the tracker that the command line or the environment names, else of the default one. */
function placeOf({ flags }: Input, { io }: Context) {
  const file = flagValue(flags["data"]);
  const named = ["base-url", "profile"].find((name) => flags[name] !== undefined);
  if (file !== undefined && named) throw usage(`--data and --${named} cannot be used together`);
  if (file !== undefined) return { address: `local:${file}`, dataDirectory: "" };
  const naming = { baseUrl: flagValue(flags["base-url"]), profile: flagValue(flags["profile"]) };
  const settings = { base_url: "local:", ...readSettings(io) };
  const { place, source } = chooseTracker({ flags: naming, env: io.env, settings });
  if (place.kind === "mirror") throw usage(`bt admin cannot change mirror:${place.name}`, `add ${ANOTHER}`);
  if (place.kind === "network" && (named || io.env["BT_BASE_URL"] || io.env["BT_PROFILE"])) {
    throw usage(
      `bt admin needs a tracker in a file, not ${place.baseUrl} (from ${source})`,
      `add --base-url local: for the default file, or ${ANOTHER}`,
    );
  }
  const address = place.kind === "network" ? "local:" : addressText(place);
  return { address, dataDirectory: address === "local:" ? folderToWrite("data", io) : "" };
}

/** All operations, or those of one noun with their parameters. */
function operationsText(noun: string | undefined): string {
  const shown = ADMIN_OPERATIONS.filter((operation) => noun === undefined || operation.noun === noun);
  if (shown.length === 0) throw unknown(`unknown noun ${JSON.stringify(noun)} for bt admin`, noun ?? "", nouns());
  const lines = shown.map(({ noun: name, verb, about, parameters }) => {
    const words = parameters
      .filter(({ kind }) => kind !== "secret")
      .map((one) => (one.isRequired ? `<${one.name}>` : `[${one.name}=]`))
      .join(" ");
    const details = noun === undefined ? [] : parameters.map((one) => `      ${one.name}: ${one.about}\n`);
    return `  bt admin ${name} ${verb}${noun === undefined ? "" : ` ${words}`}\n      ${about}\n${details.join("")}`;
  });
  return lines.join(noun === undefined ? "" : "\n");
}

function nouns(): readonly string[] {
  return [...new Set(ADMIN_OPERATIONS.map(({ noun }) => noun))];
}

function checkOperation(noun: string, verb: string): void {
  const verbs = ADMIN_OPERATIONS.filter((operation) => operation.noun === noun).map((operation) => operation.verb);
  if (verbs.length === 0) throw unknown(`unknown noun ${JSON.stringify(noun)} for bt admin`, noun, nouns());
  if (!verbs.includes(verb)) {
    const slip = verbs.find((name) => isTypo(verb, name));
    throw usage(
      `unknown verb ${JSON.stringify(verb)} for bt admin ${noun}`,
      slip ? `did you mean ${slip}?` : `valid values: ${verbs.join(", ")}`,
    );
  }
}

/** Parses the arguments of an operation: `name=value` by name, others in the order of required parameters. */
async function givenFrom(
  { noun, verb, parameters }: BoundAdminOperation,
  words: readonly string[],
  context: Context,
): Promise<AdminArguments> {
  const given: Record<string, AdminArguments[string]> = {};
  for (const word of words) {
    const named = parameters.find(({ name }) => word.startsWith(`${name}=`));
    const isPair = !named && /^[a-z_]+=/.test(word);
    const next = parameters.find(({ name, isRequired }) => isRequired && given[name] === undefined);
    const parameter = named ?? (isPair ? undefined : next);
    if (!parameter) throw unknownWord({ noun, verb, parameters }, word);
    given[parameter.name] = await readWord(parameter, named ? word.slice(parameter.name.length + 1) : word, context);
  }
  for (const { name, about } of parameters.filter(({ kind }) => kind === "secret")) {
    given[name] = await readSecret(about, context);
  }
  return given;
}

function unknownWord(
  { noun, verb, parameters }: Pick<BoundAdminOperation, "noun" | "verb" | "parameters">,
  word: string,
) {
  const names = parameters.map(({ name }) => name);
  const [near] = nearestNames(word.split("=")[0] ?? "", names);
  return usage(
    `unexpected argument ${JSON.stringify(word)} for bt admin ${noun} ${verb}`,
    near ? `did you mean ${near}=?` : `valid arguments: ${names.join(", ")}`,
  );
}

/** A secret, typed without echo or read as the first line of stdin. */
async function readSecret(about: string, { io }: Context): Promise<string> {
  if (io.terminal.stdin && !mayPrompt(io, readSettings(io))) {
    throw usage(`no prompt for the ${about}`, "pipe it to stdin");
  }
  if (io.terminal.stdin) return io.prompt({ kind: "hidden", message: about });
  return utf8(await io.input()).split(/\r?\n/)[0] ?? "";
}

function secretGiven(name: string): BtError {
  return usage(
    `refusing to read the ${name} from the command line, where other users can see it`,
    `omit it to be prompted, or pipe it to stdin`,
  );
}

async function readWord(
  { name, kind }: AdminParameter,
  text: string,
  context: Context,
): Promise<AdminArguments[string]> {
  if (name === "document") return sourceText(text, context);
  if (kind === "secret") throw secretGiven(name);
  if (kind === "list")
    return text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (kind === "number" && /^-?\d{1,9}$/.test(text)) return Number(text);
  const claim = CLAIMS[text.toLowerCase()];
  if (kind === "yes-no" && claim !== undefined) return claim;
  if (kind === "text") return text;
  throw usage(`${name}=${text} is not ${kind === "number" ? "an integer" : "yes or no"}`);
}

/** Spellings of yes and no: those of the command line, of JSON and of the tables that bt prints. */
const CLAIMS: Readonly<Record<string, boolean>> = {
  ...{ yes: true, true: true, 1: true },
  ...{ no: false, false: false, 0: false },
};

function run(operation: BoundAdminOperation, given: AdminArguments): Json {
  try {
    return operation.run(given);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new BtError(error.code === 51 ? "missing" : "refused", error.message, {
      hint: `bt admin ${operation.noun} lists the arguments`,
      bugzillaCode: error.code,
      changed: "nothing",
    });
  }
}

/** Summary of a loaded document: `loaded 2 products, 6 fields`. */
function loadedText(result: Json): string {
  const parts = Object.entries((result ?? {}) as JsonObject).map(
    ([part, count]) => `${count} ${part.replaceAll("_", " ")}`,
  );
  return parts.length > 0 ? `loaded ${parts.join(", ")}` : "the document is empty";
}

/** Rows as a list, a document as it is, what has a page as that; anything else as the one row that it is. */
async function showResult(result: Json, { toText }: BoundAdminOperation, context: Context): Promise<void> {
  const { format, fields } = context.output;
  if (typeof result === "string") return showText(context, format === "json" ? documentAsJson(result) : result);
  if (toText && !format && !fields) return showText(context, plain(toText(result), { lines: true }));
  const rows = (Array.isArray(result) ? result : [result]) as readonly JsonObject[];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))];
  if (outputFormat(context) !== "json" && names.length === 0) return;
  await showList(context, { columns: chosenColumns(wireColumns<JsonObject>(names), context), pages: [rows] });
}

function unknown(message: string, word: string, names: readonly string[]): BtError {
  return usage(message, suggestNames(word, names) ?? `valid values: ${names.join(", ")}`);
}
