import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../.github/RELIABILITY.md");
const TABLE = /(<!-- figures -->\n).*?(<!-- end of figures -->)/s;

const told: (readonly [trial: string, result: string])[] = [];

/** Prints one figure of this run and keeps it for the table. */
export function tell(trial: string, result: string): void {
  told.push([trial, result]);
  process.stdout.write(`${trial.padEnd(60)} ${result}\n`);
}

/** Puts the figures of this run into .github/RELIABILITY.md. */
export function publish(): void {
  const rows = told.map(([trial, result]) => `| ${trial} | ${result} |`);
  const table = ["| Trial | Result |", "|---|---|", ...rows].join("\n");
  writeFileSync(PAGE, readFileSync(PAGE, "utf8").replace(TABLE, `$1\n${table}\n\n$2`));
}
