import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { isEnabled } from "../http/server-parameters.ts";

type UserName = { id: number; login: string; real_name: string };

/** Lookup of users by id, as the requester sees them: login name, or the `..._detail` object. */
export type PresentedUsers = {
  readonly login: (id: number) => string;
  readonly detail: (id: number) => JsonObject;
};

/** The users with these ids, as the requester sees them. */
export function presentUsers(call: Call, ids: Iterable<number>): PresentedUsers {
  const rows = call.store.all<UserName>(
    "SELECT id, login, real_name FROM users WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify([...new Set(ids)])],
  );
  const users = new Map(rows.map((user) => [user.id, user]));
  const login = (id: number) => presentLogin(call, users.get(id)?.login ?? "");
  return {
    login,
    detail: (id) => ({
      id,
      name: login(id),
      email: login(id),
      real_name: users.get(id)?.real_name ?? "",
    }),
  };
}

/**
 * A login name as the requester sees it: cut at the @ for anonymous requesters if `webservice_email_filter` is on.
 * @see Bugzilla/Util.pm, email_filter
 */
export function presentLogin({ requester, parameters }: Call, login: string): string {
  return requester.user || !isEnabled(parameters.webservice_email_filter) ? login : login.replace(/@.*$/, "");
}
