import { firstNames, grouped } from "../../api/lists.ts";
import type { BtError } from "../../errors.ts";

/** A bug: its id as text, an unknown alias, or the line of a row that is no bug yet. */
type BugName = string | { readonly line: number };

/** A message about a bug, which does not name the bug, and what helps. */
export type BugMessage = { bug: BugName; message: string; hint?: string | undefined };

/** What an error says about a bug of a list; it may be about another bug, which an update names. */
export function bugMessage(bug: BugName, { message, facts }: BtError): BugMessage {
  const isAboutBug = facts.bug === undefined || facts.bug === bug;
  return { bug, message: isAboutBug ? (facts.reason ?? message) : message, hint: facts.hint };
}

/** A line for each message and hint, with its bugs by number, then rows that are no bugs yet. */
export function bugsByMessage(messages: BugMessage[]): string[] {
  const byText = grouped(messages, ({ message, hint }) => (hint ? `${message} (${hint})` : message));
  return [...byText].map(([text, same]) => {
    const ids = same.flatMap(({ bug }) => (typeof bug === "string" ? bug : []));
    const rows = same.flatMap(({ bug }) => (typeof bug === "string" ? [] : `line ${bug.line}`));
    const bugs = ids.length > 0 ? [`${ids.length === 1 ? "bug" : "bugs"} ${firstNames(ids)}`] : [];
    return `${firstNames([...bugs, ...rows])}: ${text}`;
  });
}
