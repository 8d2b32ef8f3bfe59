import { bugRef, isBugId } from "../../../api/bug-ref.ts";
import { findSimilar, type SimilarBug } from "../../../api/similar.ts";
import { BtError } from "../../../errors.ts";
import { matching, type PromptChoice } from "../../../prompt/question.ts";
import { plain } from "../../../view/text.ts";
import { type Bug, PERSON_FIELDS, type PersonField, ROLE_NAMES } from "../../../wire/bug-fields.ts";
import type { User } from "../../../wire/bug-values.ts";
import type { Comment } from "../../../wire/resources.ts";
import { userChoice } from "../../shared/form-fields.ts";
import { searchTools } from "../../shared/search-tools.ts";
import type { Context } from "../../verb.ts";

/** The users of a bug, each once: reporter, assignee, QA contact, and commenters, the latest first. */
export function peopleOf(bug: Bug, comments: readonly Comment[]): PromptChoice[] {
  const named = ROLES.flatMap((role) => bug[`${role}_detail`] ?? []);
  const logins = [...ROLES.map((role) => bug[role]), ...comments.map(({ creator }) => creator).reverse()];
  const users = logins.flatMap((login) => (login ? [named.find(({ name }) => name === login) ?? { name: login }] : []));
  return distinct(users).map((user) => ({ ...userChoice(user), ...roleIn(bug, user) }));
}

function distinct(users: Pick<User, "name">[]): Pick<User, "name">[] {
  return [...new Map(users.map((user) => [user.name, user])).values()];
}

const ROLES = [...new Set<PersonField>(["creator", ...PERSON_FIELDS])];

function roleIn(bug: Bug, { name }: Pick<User, "name">): { about?: string } {
  const role = ROLES.find((field) => bug[field] === name);
  return role === undefined ? {} : { about: ROLE_NAMES[role] };
}

/**
 * Search for the original of a duplicate: the bug typed as number, alias or URL, and similar bugs, which are loaded
 * once.
 */
export function originalSearch(bug: Bug, context: Context): (term: string) => Promise<PromptChoice[]> {
  const products = [bug.product ?? []].flat();
  const similar = findSimilar({ ...bug, products }, context.io.now(), searchTools(context)).then(
    (found) => found.slice(0, MAX_SIMILAR).map(similarChoice),
    () => [], // a bug can be named without them
  );
  return async (term) => {
    const typed = namedBug(term, context.session.address);
    const known = (await similar).find(({ value }) => value === typed?.value);
    if (typed && isBugId(typed.value)) return [known ?? typed]; // and none whose number begins like it
    return [...matching(await similar, term), ...(typed ? [typed] : [])];
  };
}

const MAX_SIMILAR = 8;

function similarChoice({ bug, score }: SimilarBug): PromptChoice {
  const { id, summary, status, resolution } = bug;
  const state = [resolution || status, `${Math.round(score * 100)} %`].join(", ");
  return { value: String(id), name: plain(`#${id} ${summary ?? ""}`), about: plain(state) };
}

/** The bug that a text names; undefined for any other text. */
function namedBug(text: string, address: string): PromptChoice | undefined {
  try {
    const value = bugRef(text.trim(), address);
    return { value, name: plain(`bug ${value}`) };
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}
