import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const README = join(import.meta.dirname, "../../README.md");
const TABLE = /(<!-- figures -->\n).*?(<!-- end of figures -->)/s;

const told: (readonly [trial: string, result: string])[] = [];

/** Prints one figure of this run and keeps it for the table. */
export function tell(trial: string, result: string): void {
  told.push([trial, result]);
  process.stdout.write(`${trial.padEnd(60)} ${result}\n`);
}

/** Puts the figures of this run into README.md. */
export function publish(): void {
  const rows = told.map(([trial, result]) => `| ${trial} | ${result} |`);
  const table = ["| Trial | Result |", "|---|---|", ...rows].join("\n");
  writeFileSync(README, readFileSync(README, "utf8").replace(TABLE, `$1\n${table}\n\n$2`));
}
