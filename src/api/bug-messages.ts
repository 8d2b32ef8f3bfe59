import { firstNames, grouped } from "./lists.ts";

/** A bug: its id as text, an alias that does not exist, or the line of a row of a file that is no bug yet. */
export type BugName = string | { readonly line: number };

/** A message about a bug, and what helps. */
type BugMessage = { bug: BugName; message: string; hint?: string | undefined };

/** A line for each message, with its bugs, and what helps them; messages that differ in the number of their bug are one. */
export function bugsByMessage(lines: BugMessage[], namesOf: (names: string[]) => string = firstNames): string[] {
  const ofMessages = grouped(lines, (line) => JSON.stringify(withoutBug(line)));
  return [...ofMessages].map(([key, some]) => {
    const { message, hint } = JSON.parse(key) as BugMessage;
    const names = joinedNames(
      some.map(({ bug }) => bug),
      namesOf,
    );
    const given = some[0]?.message ?? "";
    const isNamed = some.length === 1 && [" ", ":"].some((end) => given.startsWith(names + end));
    const said = message.replace(/^it:? /, "");
    const text = isNamed ? given : `${names}: ${some.length > 1 ? said.replace(/^does not /, "do not ") : said}`;
    if (hint === undefined) return text;
    return `${text.replace(/\.$/, "")}; ${hint.replaceAll(PLACE, some.map(({ bug }) => bug).join(" "))}`;
  });
}

/** A message, and what helps, without the number of their bug. */
function withoutBug({ bug, message, hint }: BugMessage): Omit<BugMessage, "bug"> {
  if (typeof bug !== "string" || !/^\d+$/.test(bug)) return { message, hint };
  return {
    message: message.replaceAll(new RegExp(`\\bbug #?${bug}\\b`, "gi"), "it"),
    hint: hint?.replaceAll(new RegExp(`\\b${bug}\\b`, "g"), PLACE),
  };
}

const PLACE = "\u0000"; // of a number

/** Bugs by number, then rows of a file that are no bugs yet. */
export function joinedNames(bugs: BugName[], namesOf: (names: string[]) => string = firstNames): string {
  const ids = bugs.filter((bug) => typeof bug === "string");
  const names = bugs.filter((bug) => typeof bug !== "string").map(resultName);
  if (ids.length > 0) names.unshift(`${ids.length === 1 ? "bug" : "bugs"} ${namesOf(ids)}`);
  return namesOf(names);
}

/** Name of the bug of a result: its number or alias, or the line of its row. */
export function resultName(bug: BugName): string {
  return typeof bug === "string" ? bug : `line ${bug.line}`;
}
