import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { compileQuery } from "../../api/query/compile.ts";
import { allOf } from "../../api/query/tree.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import type { Seen, SeenBug, SeenComment } from "../../session/memory/seen.ts";
import type { FactStore } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context } from "../verb.ts";
import type { Candidate, Place, Source } from "./complete.ts";

/** Completion sources from bugs that were shown on a terminal recently, newest first. */
export const SEEN_SOURCES = {
  people: async (_, context) => {
    const mirrored = (await mirroredBugs(context)).flatMap(({ assigned_to, creator }) => [assigned_to, creator]);
    const { people } = await readSeen(context.session.memory);
    const logins = [...people, ...mirrored].flatMap((login) => login ?? []);
    return [{ text: "@me", about: "yourself" }, ...named([...new Set(logins)])];
  },
  groups: fromSeen(({ groups }) => named(groups)),
  "saved searches": fromSeen(({ searches }) => named(searches)),
  bugs: async (_, context) => {
    const { bugs } = await readSeen(context.session.memory);
    const found = [...bugs, ...(await mirroredBugs(context))].map(
      ({ id, summary }) => [String(id), summary ?? ""] as const,
    );
    return [...new Map(found)].map(([text, about]) => ({ text, about }));
  },
  comments: fromSeen(({ bugs }) =>
    bugs.flatMap(({ id, comments }) => comments.map((one) => commentCandidate(`${id}.${one.count}`, one))),
  ),
  "comment numbers": fromSeen((seen, place) =>
    bugOn(place, seen).flatMap(({ comments }) => comments.map((one) => commentCandidate(String(one.count), one))),
  ),
  attachments: fromSeen(({ bugs }) => bugs.flatMap(attachmentsOf)),
  "attachments of the bug": fromSeen((seen, place) => bugOn(place, seen).flatMap(attachmentsOf)),
} as const satisfies Readonly<Record<string, Source>>;

function fromSeen(candidates: (seen: Seen, place: Place) => readonly Candidate[]): Source {
  return async (place, { session }) => candidates(await readSeen(session.memory), place);
}

async function readSeen(memory: FactStore): Promise<Seen> {
  return (await import("../../session/memory/seen.ts")).readSeen(memory);
}

/** The bugs of the tracker's mirror that changed last; none without a mirror. */
async function mirroredBugs({ session }: Context): Promise<readonly Bug[]> {
  const mirrored = await session.mirrored?.("suggestions");
  if (!mirrored) return [];
  const fields = "id,summary,assigned_to,creator";
  const request = requestFor(SEARCH_BUGS, { include_fields: fields, limit: MAX_MIRRORED });
  const everything = compileQuery(allOf([])).query;
  const order = ["order", "changeddate DESC,bug_id"] as const;
  const answer = await mirrored.session.ask({ ...request, query: [...everything, ...request.query, order] });
  await mirrored.close();
  return readBugs(answer);
}

const MAX_MIRRORED = 200;

function named(texts: readonly string[]): readonly Candidate[] {
  return texts.map((text) => ({ text, about: "" }));
}

/** The bug that is the first argument, if it was shown. */
function bugOn({ args: [bug] }: Place, { bugs }: Seen): readonly SeenBug[] {
  return bugs.filter(({ id }) => String(id) === bug);
}

function commentCandidate(text: string, { creator, time }: SeenComment): Candidate {
  return { text, about: creator === undefined ? "" : `${creator}, ${time?.slice(0, "2000-01-01".length)}` };
}

function attachmentsOf({ id: bug, attachments }: SeenBug): readonly Candidate[] {
  return attachments.map(({ id, file_name }) => ({
    text: String(id),
    about: file_name === undefined ? `bug ${bug}` : `${file_name}, bug ${bug}`,
  }));
}
