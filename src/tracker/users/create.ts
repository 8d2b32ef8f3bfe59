import type { Json } from "../../wire/exchange.ts";
import { idByName } from "../admin/lookup.ts";
import { applyUsersAndGroups } from "../admin/setup-users.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue } from "../http/input.ts";
import { compilePattern } from "../regexp.ts";
import { setPassword } from "./passwords.ts";
import { requireGroup, userByLogin } from "./requester.ts";

/** Making an account, for those who edit users. */
export const userCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/user", status: 201, handle: (call) => createUser(call) },
];

function createUser(call: Call): Json {
  requireGroup(call, "editusers", "add new users");
  const login = firstTextValue(call.input, "email")?.trim() ?? "";
  if (login === "") throw faults.parameterMissing("email");
  checkLoginName(call, login);
  const real_name = firstTextValue(call.input, "full_name")?.trim() ?? "";
  applyUsersAndGroups(call.store, { users: [{ login, real_name }] });
  const id = idByName(call.store, "user", login);
  const password = firstTextValue(call.input, "password")?.trim() ?? "";
  if (password !== "") {
    setPassword(call.store, { userId: id, password, salt: call.surroundings.random(16) });
  }
  return { id };
}

/**
 * Refuses a login name that is missing, malformed, too long, or that another user (`userId` is its own) has in any letter
 * case.
 * @throws Fault 32000, 501 or 500
 */
export function checkLoginName({ store, parameters }: Call, login: string, userId = 0): void {
  if (login === "") throw new Fault(400, 32000, "You must enter a login name for the new user.");
  if (login.length > MAX_LENGTH || compilePattern(parameters.emailregexp).test?.(login) === false) {
    throw new Fault(
      400,
      501,
      `The e-mail address you entered (${login}) didn't pass our syntax checking for a legal email address. ${parameters.emailregexpdesc} It also must not contain any illegal characters.`,
    );
  }
  const owner = userByLogin(store, login);
  if (owner && owner.id !== userId) {
    throw new Fault(400, 500, `There is already an account with the login name ${login}.`);
  }
}

const MAX_LENGTH = 127; // Bugzilla::Constants
