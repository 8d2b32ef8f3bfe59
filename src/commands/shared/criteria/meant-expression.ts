import { mendedTree, refusalOf, translatedText, treeToFill } from "../../../api/query/mend.ts";
import { joinedTerms, parseExpression } from "../../../api/query/parse.ts";
import { allOf, leavesOf, type UnresolvedQuery } from "../../../api/query/tree.ts";
import { unparseTree } from "../../../api/query/unparse.ts";
import { BtError, isKind, withFacts } from "../../../errors.ts";
import type { Context } from "../../verb.ts";
import { shellWord } from "../shell-word.ts";
import type { CriteriaInput } from "./flags.ts";

/**
 * A refusal of the terms of a search with the whole expression that may be meant as its hint, once `check` has read it; if that is
 * refused, too, its refusal, with the expression in which VALUE stands for what is left. One wrong value has a hint of its own.
 */
export async function withMeantExpression(
  error: unknown,
  given: CriteriaInput,
  context: Context,
  check: (input: CriteriaInput, context: Context) => Promise<unknown>,
): Promise<unknown> {
  const { io, output, session } = context;
  const { args, where = [] } = given;
  if (!isKind(error, "usage") || args.length + where.length === 0) return error;
  const texts = [joinedTerms(args), ...where].filter((text) => text !== "");
  const translated = texts.map(translatedText);
  const read = readAll(translated);
  const catalog = read && (await session.metadata.catalog().catch(() => undefined));
  if (read === undefined || catalog === undefined) return error;
  const query = { now: io.now(), zone: output.view.timeZone, catalog, nobody: session.settings.nobody };
  const { tree, sort } = read;
  const leaves = leavesOf(tree);
  const [only, ...others] = leaves.flatMap((term) => refusalOf(term, query) ?? []);
  const { value, condition } = only?.facts.instead ?? {};
  const isList = leaves.some((term) => term.kind === "test" && term.values.length > 1 && refusalOf(term, query));
  const hinted = value ?? (leaves.length === 1 ? condition : undefined);
  const isHinted = others.length === 0 && !isList && hinted !== undefined;
  const mended = mendedTree(tree, query);
  const isSame = isHinted || unparseTree(mended) === unparseTree(tree);
  if (isSame && String(translated) === String(texts)) return error;
  const sorted = (text: string) => [text, ...sort.map((key) => `sort:${key}`)].join(" ").trim();
  const expression = sorted(unparseTree(mended));
  const quiet = { ...context, noted: new Set<string>(), io: { ...io, err: async () => undefined } };
  const refusal: unknown = await check({ ...given, args: [expression], where: [] }, quiet).catch(
    (caught: unknown) => caught,
  );
  if (!isKind(refusal, "usage")) return withFacts(error, { hint: `did you mean ${shellWord(expression)}?` });
  const toFill = sorted(unparseTree(treeToFill(mended, query)));
  const rest = toFill === expression ? undefined : `in ${shellWord(toFill)}`;
  const hint = [refusal.facts.hint, rest].filter(Boolean).join("; ");
  return new BtError("usage", refusal.message.replace(/ \(column \d+\)$/, ""), { ...refusal.facts, hint });
}

/** The expressions as one, with their sort keys; undefined if one cannot be parsed. */
function readAll(texts: string[]): { tree: UnresolvedQuery; sort: string[] } | undefined {
  try {
    const read = texts.map(parseExpression);
    return { tree: allOf(read.map(({ tree }) => tree)), sort: read.flatMap(({ sort }) => sort) };
  } catch {
    return undefined;
  }
}
