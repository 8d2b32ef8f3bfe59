import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Collects the licences of the bundled packages in dist/THIRD-PARTY-LICENSES, as they ask for.
 * @returns {import("rolldown").Plugin}
 */
export function licences() {
  return {
    name: "licences",
    generateBundle(_options, bundle) {
      const source = foldersIn(bundle)
        .map(licenceOf)
        .join(`\n${"-".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES", source });
    },
  };
}

/** The package folders that any module of the bundle comes from, sorted. */
function foldersIn(/** @type {import("rolldown").OutputBundle} */ bundle) {
  const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const folders = modules.flatMap((id) => /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)].sort();
}

function licenceOf(/** @type {string} */ folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e([.-]|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} comes without a licence text`);
  return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
