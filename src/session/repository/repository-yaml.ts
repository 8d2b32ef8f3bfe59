import { isMap, LineCounter, type Node, parseDocument, type Scalar, visit } from "yaml";
import { type BtError, usageError } from "../../errors.ts";
import {
  entriesShape,
  listShape,
  type Members,
  mapShape,
  misfitText,
  type Shape,
  testShape,
} from "../../wire/shape.ts";

/** Settings that a file `.bt.yaml` gives to new bugs, each with its line. Whoever writes to the repository writes the file. */
export type RepositoryFile = {
  readonly path: string;
  readonly product?: Placed<string>;
  readonly component?: Placed<string>;
  readonly keywords?: Placed<readonly string[]>;
  readonly templates: ReadonlyMap<string, string>; // descriptions by name
  unknown?: BtError; // the first unknown key: an error of a write, which would lack its value, and a warning of a read
};

/** A value and its line, from 1. */
export type Placed<Value> = { readonly line: number; readonly value: Value };

/**
 * Parses a `.bt.yaml`. All scalars are text; YAML aliases and tags are errors.
 * @throws BtError of kind usage with file and line
 */
export function parseRepositoryFile(source: string, path: string): RepositoryFile {
  const lines = new LineCounter();
  const options = { lineCounter: lines, schema: "failsafe", prettyErrors: false, logLevel: "silent" } as const;
  const document = parseDocument(source, options);
  const lineAt = (offset = 0) => lines.linePos(offset).line || 1;
  const errorAt = (offset: number | undefined, why: string) =>
    usageError(`${path}:${lineAt(offset)}: ${why}`, "fix the file, or ignore it with BT_REPO_FILE=off");

  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw errorAt(fault.pos[0], fault.message);
  visit(document, {
    Alias: (_, { range }) => {
      throw errorAt(range?.[0], "aliases of YAML are not supported");
    },
  });
  const content: Content = document.toJS() ?? {};
  const misfit = SHAPE(content);
  if (misfit) {
    const node = document.getIn(misfit.path, true) as Node | undefined;
    throw errorAt(
      node?.range?.[0],
      misfitText(misfit, "the file") + (node === document.contents ? `; ${VALID_NAMES}` : ""),
    );
  }

  const keys = isMap<Scalar, unknown>(document.contents) ? document.contents.items.map(({ key }) => key) : [];
  const placed = <Value>(name: string, value: Value) => ({
    line: lineAt(keys.find((key) => key.value === name)?.range?.[0]),
    value,
  });
  const { product, component, keywords, templates = {} } = content;
  const unknown = keys.find(({ value }) => !Object.hasOwn(MEMBERS, String(value)));
  const unknownKey = unknown && errorAt(unknown.range?.[0], `${unknown.value} is unknown; ${VALID_NAMES}`);
  if (component && !product)
    throw (
      unknownKey ??
      usageError(`${path}:${placed("component", "").line}: component requires product`, "add the key product")
    );
  return {
    path,
    ...(product && { product: placed("product", product.trim()) }),
    ...(component && { component: placed("component", component.trim()) }),
    ...(keywords && { keywords: placed("keywords", wordsOf(keywords)) }),
    templates: new Map(Object.entries(templates)),
    ...(unknownKey && { unknown: unknownKey }),
  };
}

type Content = {
  product?: string;
  component?: string;
  keywords?: string | string[];
  templates?: Readonly<Record<string, string>>;
};

const text = testShape((value) => typeof value === "string" && value.trim() !== "", "a string");
const line = testShape(
  (value) => text(value) === undefined && !/\p{Cc}/u.test(String(value).trim()),
  "a single line of text",
);
const texts = testShape((value) => line(value) === undefined, "a list, or a single line of text");
const lines: Shape = (value) => (Array.isArray(value) ? listShape(line)(value) : texts(value));
const MEMBERS: Members = { product: line, component: line, keywords: lines, templates: mapShape(text) };
const SHAPE = entriesShape((name) => (Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined));
const VALID_NAMES = `valid names: ${Object.keys(MEMBERS).join(", ")}`;

/** A list, or one text with commas. */
function wordsOf(keywords: string | string[]): string[] {
  const words = typeof keywords === "string" ? keywords.split(",") : keywords;
  return words.map((word) => word.trim()).filter((word) => word !== "");
}
