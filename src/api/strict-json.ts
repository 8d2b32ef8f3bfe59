/** What is wrong with a JSON text, and where: both count from 1. */
export type JsonFault = { readonly what: string; readonly line: number; readonly column: number };

/**
 * What is wrong with a JSON text that a person wrote; undefined when nothing is. Stricter than JSON.parse in one thing: of a
 * name that stands twice in an object only one value would count, so it is refused.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const tokens = [...text.matchAll(TOKENS)].map((match) => ({ word: match[0], at: match.index }));
  const state: State = { open: [], expects: ["value"] };
  for (const { word, at } of tokens) {
    const what = step(state, word);
    if (what !== undefined) return { what, ...placeOf(text, at) };
  }
  if (state.open.length === 0 && state.expects.includes("end")) return undefined;
  return { what: "it ends too early", ...placeOf(text, text.trimEnd().length) };
}

/** Marks, texts, words and numbers; anything else is a token of one character, which nothing expects. */
const TOKENS = /[{}[\]:,]|"(?:[^"\\\n]|\\.)*"|[\w.+-]+|[^\s]/gu;

type Expected = "value" | "name" | ":" | "," | "}" | "]" | "end";
type State = { open: { readonly kind: "{" | "["; readonly names: Set<string> }[]; expects: readonly Expected[] };

function step(state: State, word: string): string | undefined {
  const kind = kindOf(word, state.expects);
  if (kind === undefined) return `${word.slice(0, 20)} is not expected here`;
  if (word.startsWith('"') && HALF_CHARACTER.test(JSON.parse(word))) return "the text holds half a character";
  if (kind === "name" && isRepeated(state, word)) return `the name ${word} stands here a second time`;
  state.expects = FOLLOW[kind](state, word);
  return undefined;
}

const HALF_CHARACTER = /\p{Cs}/u; // one half of a surrogate pair, which no encoding can carry

function kindOf(word: string, expects: readonly Expected[]): Expected | undefined {
  if (":,}]".includes(word)) return expects.find((one) => one === word);
  if (word.startsWith('"') && expects.includes("name")) return isScalar(word) ? "name" : undefined;
  return expects.includes("value") && ("{[".includes(word) || isScalar(word)) ? "value" : undefined;
}

function isScalar(word: string): boolean {
  try {
    JSON.parse(word);
    return true;
  } catch {
    return false;
  }
}

function isRepeated({ open }: State, word: string): boolean {
  const names = open.at(-1)?.names;
  const name = JSON.parse(word) as string;
  const isKnown = names?.has(name) === true;
  names?.add(name);
  return isKnown;
}

/** What may follow after each kind of token. */
const FOLLOW: Readonly<Record<Expected, (state: State, word: string) => readonly Expected[]>> = {
  value: (state, word) => (word === "{" || word === "[" ? opened(state, word) : afterValue(state)),
  name: () => [":"],
  ":": () => ["value"],
  ",": ({ open }) => [open.at(-1)?.kind === "{" ? "name" : "value"],
  "}": closed,
  "]": closed,
  end: () => [],
};

function opened({ open }: State, kind: "{" | "["): readonly Expected[] {
  open.push({ kind, names: new Set() });
  return kind === "{" ? ["name", "}"] : ["value", "]"];
}

function closed(state: State): readonly Expected[] {
  state.open.pop();
  return afterValue(state);
}

function afterValue({ open }: State): readonly Expected[] {
  const inner = open.at(-1)?.kind;
  if (inner === undefined) return ["end"];
  return [",", inner === "{" ? "}" : "]"];
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
