import manifest from "../package.json" with { type: "json" };
import { run } from "./cli/run.ts";
import { TREE } from "./commands/tree.ts";
import { connect } from "./connect.ts";
import { processIo } from "./io.ts";

/** Runs one command line and answers with the exit code; nothing else decides how the process ends. */
export function main(argv: readonly string[]): Promise<number> {
  return run(argv, { io: processIo(), tree: TREE, version: manifest.version, connect });
}
