import { join } from "node:path";
import fc from "fast-check";
import { buildCatalog } from "../../src/api/catalog/catalog.ts";
import { parseExpression } from "../../src/api/query/parse.ts";
import { allOf, anyOf, isGroup, isNot, type Term, type Tree } from "../../src/api/query/tree.ts";
import { unparseTree } from "../../src/api/query/unparse.ts";
import { main } from "../../src/main.ts";
import { openStore } from "../../src/mirror/store.ts";
import type { Field } from "../../src/wire/resources.ts";
import { treesOf } from "../api/query/random-trees.ts";
import { ioFor } from "../bt.ts";
import { homeFolders } from "../mirrored.ts";
import { chance } from "../reliability/random.ts";
import { type ConditionSource, fieldConditions } from "./field-conditions.ts";
import { EXPRESSIONS } from "./thirty-expressions.ts";

/** A tracker on the network, as an account sees it: all its bugs, or those of a product. */
export type ComparedServer = {
  readonly url: string;
  readonly key: string;
  readonly product?: string | undefined;
  readonly home: string; // folder for the mirror
  readonly now: string;
};

/** Numbers of expressions by how server and mirror answered them, and those that they answered differently. */
export type Compared = {
  readonly equal: number;
  readonly some: number; // of the equal ones, those that select some bugs and not all
  readonly refused: number; // by the mirror, or as a search of the server
  readonly invalid: number; // with the same message
  readonly byWords: number; // different by full text, which the mirror searches by its own index
  readonly different: readonly string[];
};

/** Makes a mirror of a server. @throws Error with what was printed if that fails */
export async function mirroredServer(server: ComparedServer): Promise<MirroredServer> {
  const run = runnerFor(server);
  const product = server.product === undefined ? [] : ["--product", server.product];
  const mirror = async (verb: string, ...more: readonly string[]) => {
    const { code, err } = await run("mirror", verb, NAME, ...more);
    if (code !== 0) throw new Error(err);
  };
  await mirror("create", ...product);
  const search = async (expression: string, ...place: readonly string[]) =>
    readAnswer(await run("bug", "search", ...product, "--where", expression, "--format", "ids", ...place));
  return {
    sync: () => mirror("sync"),
    source: await sourceOf(server),
    onServer: (expression) => search(expression),
    onMirror: (expression) => search(expression, "--base-url", `mirror:${NAME}`),
  };
}

/** A server and its mirror, and what conditions on their bugs are made of. */
export type MirroredServer = {
  readonly sync: () => Promise<void>;
  readonly source: Source;
  readonly onServer: (expression: string) => Promise<Answer>;
  readonly onMirror: (expression: string) => Promise<Answer>;
};

const NAME = "compared";

/** Ids in ascending order, or why there are none. */
type Answer = { readonly ids?: readonly number[]; readonly failure: string };

type Ran = { readonly code: number; readonly out: string; readonly err: string };

function runnerFor({ url, key, home, now }: ComparedServer) {
  const env = { ...homeFolders(home), BT_BASE_URL: url, BT_API_KEY: key };
  return async (...argv: readonly string[]): Promise<Ran> => {
    const said = { out: "", err: "" };
    const code = await main(argv, ioFor({ env, now }, said));
    return { code, ...said };
  };
}

function readAnswer({ code, out, err }: Ran): Answer {
  if (code !== 0) return { failure: err.split("\n").findLast((line) => line.startsWith("bt: ")) ?? "" };
  const ids = out.split("\n").filter((id) => id !== "");
  return { ids: ids.map(Number).sort((one, other) => one - other), failure: "" };
}

type Source = ConditionSource & { readonly count: number };

/** Number of bugs whose values are searched for. */
const SOURCE_BUGS = 200;

async function sourceOf({ home }: ComparedServer): Promise<Source> {
  const store = openStore(join(home, "data", "bt", "mirrors", `${NAME}.db`));
  const all = [...store.times().keys()];
  const known = store.known(chance(1).shuffled(all).slice(0, SOURCE_BUGS), ["comments"]);
  const texts = known.flatMap(({ comments }) => comments.map(({ text }) => text));
  const people = known.flatMap(({ bug: { assigned_to, creator, cc } }) => [assigned_to, creator, ...(cc ?? [])]);
  const source = {
    catalog: buildCatalog(store.metadata("fields") as unknown as readonly Field[]),
    bugs: known.map(({ bug }) => bug),
    words: distinct(texts.flatMap((text) => text.match(/[\p{L}\p{N}]{2,20}/gu) ?? [])).slice(0, 2000),
    people: distinct(people.filter((login) => login !== undefined && login !== "")) as readonly string[],
    count: all.length,
  };
  store.close();
  return source;
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

/** The thirty expressions, so many random conditions, and as many random trees of conditions. */
export function randomExpressions({ source }: MirroredServer, seed: number, count: number): readonly Tree<Term>[] {
  const conditions = fieldConditions(source);
  return [
    ...EXPRESSIONS.map(([expression]) => parseExpression(expression)),
    ...fc.sample(conditions, { numRuns: count, seed }),
    ...fc.sample(treesOf(conditions), { numRuns: count, seed }),
  ];
}

/** Compares what a server and its mirror select by expressions. */
export async function compareWithMirror(server: MirroredServer, trees: readonly Tree<Term>[]): Promise<Compared> {
  const counts = { equal: 0, some: 0, refused: 0, invalid: 0, byWords: 0 };
  const different: string[] = [];
  for (const tree of trees) {
    const { kind, answers } = await settledVerdict(tree, server);
    if (kind === "different") different.push(await describe(tree, server));
    else counts[kind] += 1;
    const found = answers[0].ids?.length ?? 0;
    if (kind === "equal" && found > 0 && found < server.source.count) counts.some += 1;
  }
  return { ...counts, different };
}

type Verdict = {
  readonly kind: "equal" | "refused" | "invalid" | "byWords" | "different";
  readonly answers: readonly [server: Answer, mirror: Answer];
};

/** The verdict on an expression; one that differs is searched again after a sync, since bugs may have changed meanwhile. */
async function settledVerdict(tree: Tree<Term>, server: MirroredServer): Promise<Verdict> {
  const first = await verdict(tree, server);
  if (first.kind !== "different") return first;
  await server.sync();
  return verdict(tree, server);
}

async function verdict(tree: Tree<Term>, { onServer, onMirror }: MirroredServer): Promise<Verdict> {
  const expression = unparseTree(tree);
  const answers = [await onServer(expression), await onMirror(expression)] as const;
  const kind = kindOf(answers);
  return { kind: kind === "different" && /\bfulltext\b/.test(expression) ? "byWords" : kind, answers };
}

function kindOf([server, mirror]: Verdict["answers"]): Verdict["kind"] {
  if (server.failure !== "" && server.failure === mirror.failure) return "invalid";
  if (REFUSALS.test(server.failure) || REFUSALS.test(mirror.failure)) return "refused";
  return JSON.stringify(server.ids) === JSON.stringify(mirror.ids) ? "equal" : "different";
}

/** By the mirror, or by the tracker for somebody whom it does not know; a mirror cannot tell. */
const REFUSALS = /^bt: (?:unknown user|the mirror \S+ cannot decide|no bug of the mirror)/;

/** The smallest part of an expression that differs, and how. */
async function describe(tree: Tree<Term>, server: MirroredServer): Promise<string> {
  for (const part of partsOf(tree))
    if ((await verdict(part, server)).kind === "different") return describe(part, server);
  const [onServer, onMirror] = (await verdict(tree, server)).answers;
  return `${unparseTree(tree)}\n  server: ${text(onServer, onMirror)}\n  mirror: ${text(onMirror, onServer)}`;
}

function partsOf(tree: Tree<Term>): readonly Tree<Term>[] {
  if (isNot(tree)) return [tree.of];
  if (!isGroup(tree)) return [];
  const without = tree.of.map((_, left) => tree.of.filter((__, at) => at !== left));
  const smaller = tree.of.length > 2 ? without.map((of) => (tree.kind === "all" ? allOf(of) : anyOf(of))) : [];
  return [...tree.of, ...smaller];
}

/** An answer, as far as the other one lacks it. */
function text({ ids, failure }: Answer, other: Answer): string {
  if (ids === undefined) return failure;
  const alone = ids.filter((id) => !other.ids?.includes(id));
  return `${ids.length} bugs${alone.length > 0 ? `, alone: ${alone.slice(0, 10).join(", ")}` : ""}`;
}
