import type { FactStore } from "../../api/fact-store.ts";
import { whoAmI } from "../../api/facts/identity.ts";
import type { RowSupport } from "../../api/facts/row-support.ts";
import type { SendRequest } from "../../api/operations/operation.ts";

/** The login that the tracker reported for the session; remembered for reading offline. */
export async function readOwnLogin(
  send: SendRequest,
  rows: RowSupport,
  memory: FactStore,
): Promise<string | undefined> {
  const { user } = await whoAmI(send, rows);
  if (user !== undefined) await keepLogin(user, memory);
  return user;
}

/** The login of an account as the tracker reported it last; undefined if it never did. */
export async function readKeptLogin(memory: FactStore): Promise<string | undefined> {
  const login = (await memory.read(OWN_LOGIN))?.["login"];
  return typeof login === "string" ? login : undefined;
}

/** Remembers the login of an account that is configured with only a key. */
export async function keepLogin(login: string, memory: FactStore): Promise<void> {
  await memory.write(OWN_LOGIN, { login });
}

const OWN_LOGIN = "own-login";
