import type { CommandFlag } from "../command-flag.ts";

/** Syntax of a flag in help: `-s, --status <status>`. */
export function flagSyntax({ name, short, value }: CommandFlag): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

/** Description of a flag, with its aliases unless they are mere variants of its name. */
export function flagDescription({ name, about, aliases = [] }: CommandFlag): string {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  return others.length > 0 ? `${about}; also ${others.map((alias) => `--${alias}`).join(", ")}` : about;
}
