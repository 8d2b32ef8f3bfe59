import fc from "fast-check";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { allOf, anyOf, isEveryBug, notOf, type Term, type Tree, type TypedOp } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleContext } from "../example-catalog.ts";

/** Trees of any shape over the given leaves. */
export function treesOf<Leaf extends { readonly kind: string }>(leaf: fc.Arbitrary<Leaf>): fc.Arbitrary<Tree<Leaf>> {
  return fc.letrec<{ tree: Tree<Leaf> }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: leaf },
      { weight: 2, arbitrary: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((trees) => allOf(trees)) },
      { weight: 2, arbitrary: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((trees) => anyOf(trees)) },
      { weight: 1, arbitrary: tie("tree").map((tree) => notOf(tree)) },
    ),
  })).tree;
}

/** Trees of sensible terms, except those with bounds that exclude each other, which are rejected. */
export function sensibleTrees(): fc.Arbitrary<Tree<Term>> {
  return treesOf(sensibleTerms()).filter((tree) => {
    try {
      const query = resolveQuery(tree, exampleContext);
      // a negated bound is only seen as one after it was resolved
      return isEveryBug(query) || resolveQuery(parseExpression(unparseQuery(query)), exampleContext) !== undefined;
    } catch (error) {
      if (error instanceof BtError && / is reversed| is both /.test(error.message)) return false;
      throw error;
    }
  });
}

/** A comparison of a field, written short. */
export function test(field: string, op: TypedOp, ...values: readonly string[]): Term {
  return { kind: "test", field, op, values };
}

/** Some of the words, one at least. */
export function words(...list: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc.subarray([...list], { minLength: 1 });
}

/** Leaves that make sense on the recorded tracker and that can be checked on the bug itself, without its comments. */
function sensibleTerms(): fc.Arbitrary<Term> {
  return fc.oneof(
    fc
      .constantFrom("open", "closed", "confirmed", "mine", "self-assigned", "overdue", "private", "dup", "stale")
      .map((state) => ({ kind: "is", state }) as const),
    words("UNCONFIRMED", "confirmed", "IN_PROGRESS", "RESOLVED", "VERIFIED").map((list) =>
      test("status", "=", ...list),
    ),
    words("FIXED", "INVALID", "DUPLICATE", "---").map((list) => test("resolution", ":", ...list)),
    words("Theme", "Places", "New Tab, Start/Home & More").map((list) => test("component", "=", ...list)),
    fc
      .tuple(
        fc.constantFrom<TypedOp>(">", ">=", "<", "<=", "="),
        fc.constantFrom("Highest", "High", "Normal", "Lowest"),
      )
      .map(([op, value]) => test("priority", op, value)),
    fc
      .tuple(
        fc.constantFrom("creation_time", "last_change_time", "deadline", "cf_due", "cf_seen_at"),
        fc.constantFrom<TypedOp>(">", ">=", "<", "<=", "="),
        fc.constantFrom("2026", "2026-10", "2026-10-03", "-2w", "today", "2026-11-01T12:00Z", "last-month"),
      )
      .map(([field, op, value]) => test(field, op, value)),
    fc
      .tuple(
        fc.constantFrom("id", "cf_points"),
        fc.constantFrom<TypedOp>(">", ">=", "<", "<=", "="),
        fc.integer({ min: 1, max: 9 }),
      )
      .map(([field, op, value]) => test(field, op, String(value))),
    fc
      .tuple(
        fc.constantFrom("summary", "whiteboard", "url", "cf_build_id"),
        fc.constantFrom<TypedOp>("~", "=", "^=", "$="),
        fc.constantFrom(
          "crash",
          "hang",
          "[zoo]",
          "50%",
          "a.b",
          "or",
          "two words",
          'say "x"',
          "back\\",
          "/re/",
          "(",
          "a||b",
        ),
      )
      .map(([field, op, value]) => test(field, op, value)),
    fc
      .tuple(
        fc.constantFrom("assigned_to", "creator", "qa_contact", "cc"),
        words("alice@example.org", "bob@example.org", "@me", "@reporter"),
      )
      .map(([field, list]) => test(field, "=", ...list)),
    words("crash", "perf", "regression").map((list) => test("keywords", "=", ...list)),
    words("tv", "mobile").map((list) => test("cf_platforms", "=", ...list)),
    words("zeb", "zebra-two").map((list) => test("alias", "=", ...list)),
    words("review?", "review", "landing+").map((list) => test("flags", "=", ...list)),
    words("1", "2", "3").map((list) => test("depends_on", "=", ...list)),
    fc.constantFrom("yes", "no").map((value) => test("is_confirmed", "=", value)),
    fc
      .constantFrom(
        "resolution",
        "alias",
        "qa_contact",
        "cc",
        "keywords",
        "deadline",
        "cf_due",
        "cf_tracking",
        "flags",
        "groups",
        "whiteboard",
      )
      .map((field) => test(field, "empty")),
    fc.constantFrom<Term>(
      { kind: "flag", name: "review?", requestee: "@me" },
      { kind: "flag", name: "review", setter: "bob@example.org" },
    ),
  );
}
