import type { CommandFlag } from "../command-flag.ts";

/** Syntax of a flag in help: `-s, --status <status>`. */
export function flagSyntax({ name, short, value }: CommandFlag): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

/** Description of a flag, with its first alias unless that is a mere variant of its name. */
export function flagDescription({ name, about, aliases = [] }: CommandFlag): string {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  return others[0] ? `${about}; also --${others[0]}` : about;
}
