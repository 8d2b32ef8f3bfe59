import { nearest } from "../../api/nearest.ts";
import { type Ask, get } from "../../api/operation.ts";
import { PEOPLE } from "../../api/query/people.ts";
import { type Condition, leavesOf, type Query } from "../../api/query/tree.ts";
import { isObject, listIn } from "../../api/read.ts";
import { BtError } from "../../errors.ts";
import type { Context } from "../context.ts";

/**
 * Checks the logins of a search that has found nothing, since trackers answer an unknown one with no bugs. One that does not
 * exist is a usage error that offers the nearest; of those that the tracker does not speak of, a note says so.
 */
export async function checkLogins(query: Query, { tracker, io }: Context): Promise<void> {
  const logins = [...new Set(leavesOf(query).flatMap(loginsIn))].filter((login) => !login.startsWith("%"));
  const unchecked: string[] = [];
  for (const [at, login] of logins.entries()) {
    const exists = at < MAX_CHECKED ? await isKnown(login, tracker.ask) : undefined;
    if (exists === false) throw await unknownLogin(login, tracker.ask);
    if (exists === undefined) unchecked.push(JSON.stringify(login));
  }
  if (unchecked.length > 0) await io.err(`no bugs; could not check login ${unchecked.join(", ")}\n`);
}

const MAX_CHECKED = 10; // logins, each with a request of its own

function loginsIn(condition: Condition): readonly string[] {
  if (condition.kind === "flag") return [condition.requestee, condition.setter].filter((login) => login !== undefined);
  const isPersonal = PEOPLE.has(condition.field.family);
  if (condition.kind === "test") return isPersonal && condition.op === "=" ? condition.values : [];
  const { from, to, by } = condition;
  return [by, ...(isPersonal ? [from, to] : [])].filter((login) => login !== undefined);
}

/** Whether a login exists; undefined when the tracker does not say. */
async function isKnown(login: string, ask: Ask): Promise<boolean | undefined> {
  try {
    const users = listIn(await ask(get("/rest/user", [["names", login], ONLY_NAMES])), "users");
    return users.length > 0 ? true : undefined;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return error.facts.bugzillaCode === NO_SUCH_USER ? false : undefined;
  }
}

const ONLY_NAMES = ["include_fields", "id,name"] as const;
const NO_SUCH_USER = 51;

async function unknownLogin(login: string, ask: Ask): Promise<BtError> {
  const [near] = nearest(login, await similarLogins(login, ask));
  return new BtError("usage", `unknown user "${login}"`, {
    hint: near ? `did you mean ${near}?` : "people go by their whole login",
    changed: "nothing",
  });
}

/** Logins that contain the part before the "@"; none where the tracker does not list them. */
async function similarLogins(login: string, ask: Ask): Promise<readonly string[]> {
  const [part = ""] = login.split("@");
  try {
    const users = listIn(await ask(get("/rest/user", [["match", part], ONLY_NAMES])), "users");
    return users.flatMap((user) => (isObject(user) && typeof user["name"] === "string" ? [user["name"]] : []));
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}
