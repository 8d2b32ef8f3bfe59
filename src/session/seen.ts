import { isObject } from "../api/response/response-objects.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { FactStore, Session } from "./session.ts";

/** A bug that was shown; without a summary if it is, or may be, restricted to groups. */
export type SeenBug = { readonly id: number; readonly summary?: string };

/** Bugs and logins that an account saw on a terminal lately, newest first; for completion. */
export type Seen = { readonly bugs: readonly SeenBug[]; readonly people: readonly string[] };

/** Name of the list in the cache of an account. */
export const SEEN = "seen";

const MAX_BUGS = 50;
const MAX_PEOPLE = 200;

/** The list of an account; empty if there is none. */
export async function readSeen(memory: FactStore): Promise<Seen> {
  const { bugs, people } = (await memory.read(SEEN)) ?? {};
  return {
    bugs: objectsIn(bugs).flatMap(({ id, summary }) =>
      typeof id === "number" ? [{ id, ...(typeof summary === "string" ? { summary } : {}) }] : [],
    ),
    people: textsIn(people),
  };
}

/** The session with its responses watched; `save` adds what they showed to the list. */
export function watchSeen<Watched extends Pick<Session, "ask" | "memory">>(
  session: Watched,
): { readonly session: Watched; readonly save: () => Promise<void> } {
  const found: { readonly bugs: FoundBug[]; readonly people: string[] } = { bugs: [], people: [] };
  const ask: Session["ask"] = async (request) => {
    const answer = await session.ask(request);
    if (found.bugs.length < MAX_BUGS) collect(answer, found);
    return answer;
  };
  const save = async () => {
    if (found.bugs.length + found.people.length === 0) return;
    const before = await readSeen(session.memory);
    await session.memory.write(SEEN, {
      bugs: mergedBugs(found.bugs, before.bugs),
      people: [...new Set([...found.people, ...before.people])].slice(0, MAX_PEOPLE),
    });
  };
  return { session: { ...session, ask }, save };
}

type FoundBug = SeenBug & { readonly isRestricted: boolean };

function collect(answer: Json, found: { readonly bugs: FoundBug[]; readonly people: string[] }): void {
  const { bugs, users } = objectOf(answer);
  for (const bug of objectsIn(bugs).slice(0, MAX_BUGS)) {
    const { id, summary, groups, assigned_to, creator, qa_contact, cc } = bug;
    const isPublic = Array.isArray(groups) && groups.length === 0;
    const isRestricted = Array.isArray(groups) && groups.length > 0;
    if (typeof id !== "number") continue;
    found.bugs.push({ id, isRestricted, ...(isPublic && typeof summary === "string" ? { summary } : {}) });
    found.people.push(...textsIn([assigned_to, creator, qa_contact, cc ?? []].flat() as Json));
  }
  found.people.push(...objectsIn(users).flatMap(({ name }) => textsIn([name ?? ""])));
}

/** Newest first, each once; a summary known from before stays, unless the bug is restricted now. */
function mergedBugs(found: readonly FoundBug[], before: readonly SeenBug[]): JsonObject[] {
  const all = [...found, ...before];
  const restricted = new Set(found.filter(({ isRestricted }) => isRestricted).map(({ id }) => id));
  const titles = new Map(all.toReversed().flatMap(({ id, summary }) => (summary === undefined ? [] : [[id, summary]])));
  const ids = [...new Set(all.map(({ id }) => id))].slice(0, MAX_BUGS);
  return ids.map((id) => {
    const summary = restricted.has(id) ? undefined : titles.get(id);
    return { id, ...(summary === undefined ? {} : { summary }) };
  });
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string" && one !== "") : [];
}
