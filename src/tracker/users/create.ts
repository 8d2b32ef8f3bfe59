import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue } from "../http/input.ts";
import { compilePattern } from "../regexp.ts";
import { idByName } from "../setup/lookup.ts";
import { applyUsersAndGroups } from "../setup/users.ts";
import { setPassword } from "./passwords.ts";
import { requireGroup, userByLogin } from "./requester.ts";

/**
 * Route of Create User, for members of `editusers`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#create-user
 */
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
    setPassword(call.store, { userId: id, password, salt: call.runtime.random(16) });
  }
  return { id };
}

/**
 * Checks a login name for the user with `userId` (0: a new user).
 * @throws Fault 32000 if it is empty, 501 if it is malformed or too long, 500 if another user has it in any letter case
 * @see Bugzilla/User.pm, check_login_name
 */
export function checkLoginName({ store, parameters }: Call, login: string, userId = 0): void {
  if (login === "") throw new Fault(400, 32000, "You must enter a login name for the new user.");
  if (login.length > MAX_LOGIN_LENGTH || compilePattern(parameters.emailregexp).test?.(login) === false) {
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

const MAX_LOGIN_LENGTH = 127; // @see Bugzilla/Util.pm, validate_email_syntax
