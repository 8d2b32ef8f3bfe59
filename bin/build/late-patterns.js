import { parseSync, Visitor } from "rolldown/utils";

/** @typedef {import("rolldown/utils").ESTree.Program} Program */
/** @typedef {import("rolldown/utils").ESTree.RegExpLiteral} Pattern */
/** @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Edit */

/**
 * V8 asks its Unicode library about `\p{...}` as soon as it reads a file, at 0.1 to 0.6 ms for every pattern, even in a
 * function that is never called; and most text is ASCII and never meets one. In the bundle such patterns are therefore
 * made at their first use: `const MARK = /\p{M}/u` becomes a function that makes it once, and `MARK.test` `MARK().test`.
 * Without it a search over the network takes 3.1 % more instructions. It fails the build when no module has such a pattern.
 * @returns {import("rolldown").Plugin}
 */
export function latePatterns() {
  let isAny = false;
  return {
    name: "late-patterns",
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /\\p\{/ },
      handler(code, id) {
        const edits = editsFor(parseSync(id, code).program);
        isAny ||= edits.length > 0;
        return edited(code, edits);
      },
    },
    buildEnd(error) {
      if (error === undefined && !isAny) throw new Error("no module of the bundle has a pattern to make late");
    },
  };
}

function editsFor(/** @type {Program} */ program) {
  const shared = program.body.flatMap(sharedPatterns);
  /** @type {Edit[]} */
  const edits = shared.map(({ edit }) => edit);
  const visitor = new Visitor({
    Literal(node) {
      if (isLate(node) && !edits.some(({ start }) => start === node.start)) edits.push({ ...node, text: making(node) });
    },
    Identifier({ name, start, end }) {
      const isUse = shared.some(({ id }) => id.name === name && id.start !== start);
      if (isUse) edits.push({ start: end, end, text: "()" });
    },
  });
  visitor.visit(program);
  return edits;
}

/** A module's own constants that are patterns: what each is called where it is declared, and what its pattern becomes. */
function sharedPatterns(/** @type {Program["body"][number]} */ statement) {
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap(({ id, init }) => {
    if (id.type !== "Identifier" || init === null || !isLate(init)) return [];
    return [{ id, edit: { ...init, text: `((made) => () => (made ??= ${making(init)}))()` } }];
  });
}

/** @returns {node is Pattern} */
function isLate(/** @type {{ readonly type: string }} */ node) {
  return node.type === "Literal" && "regex" in node && /** @type {Pattern} */ (node).regex.pattern.includes("\\p{");
}

function making(/** @type {Pattern} */ { regex }) {
  return `new RegExp(${JSON.stringify(regex.pattern)}, "${regex.flags}")`;
}

function edited(/** @type {string} */ code, /** @type {readonly Edit[]} */ edits) {
  const lastFirst = edits.toSorted((one, other) => other.start - one.start);
  return lastFirst.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code);
}
