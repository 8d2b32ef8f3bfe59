import { parseSync } from "rolldown/utils";

/** @typedef {import("rolldown/utils").ESTree.Program} Program */

/**
 * Exports functions and constants of chunks as values. The bundler writes a getter for each, of which a search over
 * the network loads 300, and calls one wherever a chunk uses what another has: without it a search takes 3 % longer. What
 * may be assigned later keeps its getter. The build fails when no export is written as this expects it.
 * @returns {import("rolldown").Plugin}
 */
export function plainExports() {
  return {
    name: "plain-exports",
    generateBundle(_options, bundle) {
      let isAny = false;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const lasting = new Set(parseSync(chunk.fileName, chunk.code).program.body.flatMap(lastingNames));
        const code = chunk.code.replace(GETTER, (getter, key, name) =>
          lasting.has(name) ? `exports.${key}=${name}` : getter,
        );
        isAny ||= code !== chunk.code;
        chunk.code = code;
      }
      if (!isAny) throw new Error("no chunk has getters for exports as plain-exports.js expects them");
    },
  };
}

/** Names that a statement of a chunk declares for good. */
function lastingNames(/** @type {Program["body"][number]} */ statement) {
  if (statement.type === "FunctionDeclaration") return statement.id ? [statement.id.name] : [];
  if (statement.type !== "VariableDeclaration" || statement.kind !== "const") return [];
  return statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
}

const GETTER = /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:true,get:function\(\)\{return ([\w$]+)\}\}\)/g;
