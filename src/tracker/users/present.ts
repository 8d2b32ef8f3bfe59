import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { isEnabled } from "../http/server-parameters.ts";

type Named = { readonly id: number; readonly login: string; readonly real_name: string };

/** Users as others see them. */
export type PresentedUsers = {
  readonly login: (id: number) => string;
  readonly detail: (id: number) => JsonObject;
};

/** The users with these ids, as this requester sees them: readers who are not logged in may get names cut at the @. */
export function presentUsers(call: Call, ids: Iterable<number>): PresentedUsers {
  const rows = call.store.all<Named>(
    "SELECT id, login, real_name FROM users WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify([...new Set(ids)])],
  );
  const users = new Map(rows.map((user) => [user.id, user]));
  const login = (id: number) => presentLogin(call, users.get(id)?.login ?? "");
  return {
    login,
    detail: (id) => ({ id, name: login(id), email: login(id), real_name: users.get(id)?.real_name ?? "" }),
  };
}

/** A login name as this requester may see it. */
export function presentLogin({ requester, parameters }: Call, login: string): string {
  return requester.user || !isEnabled(parameters.webservice_email_filter) ? login : login.replace(/@.*$/, "");
}
