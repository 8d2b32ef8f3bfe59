import { get } from "../../../api/operation.ts";
import { entryFor, readEntries } from "../../../config/credential-file.ts";
import { forgetLogin, storedKey } from "../../../config/logins.ts";
import { BtError } from "../../../errors.ts";
import { secret } from "../../../secret.ts";
import type { Desk } from "./desk.ts";

/** Forgets the login for a tracker, after ending a token on the server itself. A token that is already void is no error. */
export async function logout(desk: Desk): Promise<void> {
  const { baseUrl, host } = desk;
  const entry = entryFor(readEntries(host), baseUrl);
  if (entry === undefined)
    throw new BtError("missing", `there is no stored login for ${baseUrl}`, {
      hint: "bt auth status",
      changed: "nothing",
    });
  const token = entry.style === "token" ? await storedKey(entry, host) : undefined;
  const ended = token === undefined ? undefined : await endToken(desk, token);
  await forgetLogin(baseUrl, host);
  await desk.say(`logged out of ${entry.origin}`);
  if (ended === false)
    await desk.say("note: the tracker could not be told, so the token stays valid there until it expires");
  if (entry.style !== "token")
    await desk.say("note: the key itself stays valid; it is revoked in the preferences of the tracker");
}

async function endToken(desk: Desk, token: string): Promise<boolean> {
  try {
    await desk.askAs({ style: "token", key: secret(token) })(get("/rest/logout"));
    return true;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return error.kind === "auth";
  }
}
