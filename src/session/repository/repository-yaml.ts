import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type BtError, usage } from "../../errors.ts";
import type { Placed, RepositoryFile } from "./repository-file.ts";

/**
 * Parses a `.bt.yaml`. All scalars are text; YAML aliases, tags and other keys are errors.
 * @throws BtError of kind usage with file and line
 */
export function parseRepositoryFile(text: string, path: string): RepositoryFile {
  const lines = new LineCounter();
  const options = { lineCounter: lines, schema: "failsafe", prettyErrors: false, logLevel: "silent" } as const;
  const document = parseDocument(text, options);
  const lineAt = (offset: number) => lines.linePos(offset).line || 1;
  const errorAt = (offset: number, why: string) =>
    usage(`${path}:${lineAt(offset)}: ${why}`, "fix the file, or ignore it with BT_REPO_FILE=off");
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw errorAt(fault.pos[0], fault.message);
  const invalid: Invalid = (node, why) => errorAt(offsetOf(node), why);
  const pairs = document.contents === null ? [] : pairsOf(document.contents, "the file", invalid);
  const entries = pairs.map(({ name, key, value }) => {
    const read = Object.hasOwn(READERS, name) ? READERS[name as Key] : undefined;
    if (!read) throw invalid(key, `unknown key ${JSON.stringify(name)}; valid keys: ${KEYS.join(", ")}`);
    return [name, { line: lineAt(offsetOf(key)), value: read(value, name, invalid) }] as const;
  });
  const { templates, ...values } = Object.fromEntries(entries) as Values;
  if (values.component && !values.product)
    throw usage(`${path}:${values.component.line}: component requires product`, "add the key product");
  return { path, ...values, templates: templates?.value ?? new Map() };
}

type Values = Omit<RepositoryFile, "path" | "templates"> & { readonly templates?: Placed<RepositoryFile["templates"]> };

/** Error about a node of the document. */
type Invalid = (node: unknown, why: string) => BtError;

type Reader = (node: unknown, name: string, invalid: Invalid) => unknown;

const READERS = {
  product: lineOf,
  component: lineOf,
  keywords: wordsOf,
  templates: (node, name, invalid) =>
    new Map(pairsOf(node, name, invalid).map((one) => [one.name, textOf(one.value, `template ${one.name}`, invalid)])),
} as const satisfies Readonly<Record<string, Reader>>;

type Key = keyof typeof READERS;

const KEYS = Object.keys(READERS);

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function textOf(node: unknown, name: string, invalid: Invalid): string {
  if (isScalar(node) && typeof node.value === "string" && node.value.trim() !== "") return node.value;
  throw invalid(node, `${name} must be a string`);
}

function lineOf(node: unknown, name: string, invalid: Invalid): string {
  const line = textOf(node, name, invalid).trim();
  if (!/\p{Cc}/u.test(line)) return line;
  throw invalid(node, `${name} must be a single line of text`);
}

/** A list, or one text with commas. */
function wordsOf(node: unknown, name: string, invalid: Invalid): readonly string[] {
  if (isSeq(node)) return node.items.map((item) => lineOf(item, "a keyword", invalid));
  return lineOf(node, name, invalid)
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function pairsOf(node: unknown, name: string, invalid: Invalid) {
  if (!isMap(node)) throw invalid(node, `${name} must consist of "name: value"`);
  return node.items.map(({ key, value }) => ({ name: lineOf(key, "a name", invalid), key, value }));
}
