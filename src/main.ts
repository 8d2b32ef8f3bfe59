import process from "node:process";
import manifest from "../package.json" with { type: "json" };

/** Runs one command line and answers with the exit code; nothing else decides how the process ends. */
export async function main(_argv: readonly string[]): Promise<number> {
  process.stdout.write(`bt ${manifest.version}\n`);
  return 0;
}
