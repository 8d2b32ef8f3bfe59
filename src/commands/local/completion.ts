import { findField } from "../../api/catalog.ts";
import { legalNames } from "../../api/legal-value.ts";
import { nearest } from "../../api/nearest.ts";
import { SETTINGS } from "../../config/setting.ts";
import { readSettings } from "../../config/settings.ts";
import { usage } from "../../errors.ts";
import { complete } from "../complete.ts";
import { COMPLETION_SCRIPTS } from "../completion-scripts.ts";
import type { Context } from "../context.ts";
import type { Input } from "../verb.ts";

/** `bt completion`: prints the script of a shell. */
export async function completion(input: Input, context: Context): Promise<void> {
  const [shell = ""] = input.args;
  if (Object.hasOwn(COMPLETION_SCRIPTS, shell)) {
    return context.io.out(COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS]);
  }
  const shells = Object.keys(COMPLETION_SCRIPTS);
  const [near] = nearest(shell, shells);
  throw usage(
    `there is no completion script for ${JSON.stringify(shell)}`,
    near ? `bt completion ${near}` : `possible are ${shells.join(", ")}`,
  );
}

/** `bt complete`: one candidate a line, its description behind a tab; `:files` where a file is wanted. */
export async function completeWords(input: Input, context: Context): Promise<void> {
  const found = await complete(input.args, context.tree, (name) => valuesOf(name, context));
  if (found.files) return context.io.out(":files\n");
  const typable = found.candidates.filter(({ text }) => !/\p{C}/u.test(text)); // a shell would show and type the others raw
  const lines = typable.map(({ text, about }) => `${text}\t${about.replace(/\s+/g, " ")}\n`);
  await context.io.out(lines.join(""));
}

/** The legal values of a field, or a list that is none of the tracker's. */
async function valuesOf(name: string, context: Context): Promise<readonly string[]> {
  try {
    return (await LISTS[name]?.(context)) ?? (await cachedValues(name, context));
  } catch {
    return [];
  }
}

/** What is completed without being the values of a field of bugs. */
const LISTS: Readonly<Record<string, (context: Context) => Promise<readonly string[]>>> = {
  settings: async () => Object.keys(SETTINGS),
  shells: async () => Object.keys(COMPLETION_SCRIPTS),
  profiles: async ({ io }) => Object.keys(readSettings(io.env).profiles ?? {}),
  "field names": async ({ tracker }) => (await tracker.cachedCatalog())?.fields.map(({ api }) => api) ?? [],
};

/** The legal values of a field as far as they are cached: completion never waits for a tracker on the network. */
async function cachedValues(name: string, context: Context): Promise<readonly string[]> {
  const catalog = await context.tracker.cachedCatalog();
  const field = catalog ? findField(catalog, name) : undefined;
  return field ? (legalNames(field) ?? []) : [];
}
