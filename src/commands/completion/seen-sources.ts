import { readSeen, type Seen, type SeenBug, type SeenComment } from "../../session/memory/seen.ts";
import type { Candidate, Place, Source } from "./complete.ts";

/** Completion sources from bugs that were shown on a terminal recently, newest first. */
export const SEEN_SOURCES = {
  people: fromSeen(({ people }) => [{ text: "@me", about: "yourself" }, ...named(people)]),
  groups: fromSeen(({ groups }) => named(groups)),
  "saved searches": fromSeen(({ searches }) => named(searches)),
  bugs: fromSeen(({ bugs }) => bugs.map(({ id, summary }) => ({ text: String(id), about: summary ?? "" }))),
  comments: fromSeen(({ bugs }) =>
    bugs.flatMap(({ id, comments }) => comments.map((one) => commentCandidate(`${id}.${one.count}`, one))),
  ),
  "comment numbers": fromSeen((seen, place) =>
    bugOn(place, seen).flatMap(({ comments }) => comments.map((one) => commentCandidate(String(one.count), one))),
  ),
  attachments: fromSeen(({ bugs }) => bugs.flatMap(attachmentsOf)),
  "attachments of the bug": fromSeen((seen, place) => bugOn(place, seen).flatMap(attachmentsOf)),
} as const satisfies Readonly<Record<string, Source>>;

function fromSeen(candidates: (seen: Seen, place: Place) => Candidate[]): Source {
  return async (place, { session }) => candidates(await readSeen(session.facts.memory), place);
}

function named(texts: readonly string[]): Candidate[] {
  return texts.map((text) => ({ text, about: "" }));
}

/** The bug that is the first argument, if it was shown. */
function bugOn({ args: [bug] }: Place, { bugs }: Seen): SeenBug[] {
  return bugs.filter(({ id }) => String(id) === bug);
}

function commentCandidate(text: string, { creator, time }: SeenComment): Candidate {
  return { text, about: creator === undefined ? "" : `${creator}, ${time?.slice(0, "2000-01-01".length)}` };
}

function attachmentsOf({ id: bug, attachments }: SeenBug): Candidate[] {
  return attachments.map(({ id, file_name }) => ({
    text: String(id),
    about: file_name === undefined ? `bug ${bug}` : `${file_name}, bug ${bug}`,
  }));
}
