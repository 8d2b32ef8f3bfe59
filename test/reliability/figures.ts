import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const README = join(import.meta.dirname, "../../README.md");
const TABLE = /(<!-- figures -->\n).*?(<!-- end of figures -->)/s;

const told: (readonly [what: string, result: string])[] = [];

/** Prints one figure of this run and keeps it for the table. */
export function tell(what: string, result: string): void {
  told.push([what, result]);
  process.stdout.write(`${what.padEnd(60)} ${result}\n`);
}

/** Puts the figures of this run into README.md. */
export function publish(): void {
  const rows = told.map(([what, result]) => `| ${what} | ${result} |`);
  const table = ["| What was done | What came of it |", "|---|---|", ...rows].join("\n");
  writeFileSync(README, readFileSync(README, "utf8").replace(TABLE, `$1\n${table}\n\n$2`));
}
