import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { firstText } from "../input.ts";
import { readPattern } from "../pattern.ts";
import { idOf } from "../setup/lookup.ts";
import { applyPeople } from "../setup/people.ts";
import { setPassword } from "./password.ts";
import { userByLogin } from "./requester.ts";
import { needGroup } from "./rights.ts";

/** Making an account, for those who edit users. */
export const userCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/user", status: 201, handle: (call) => createUser(call) },
];

function createUser(call: Call): Json {
  needGroup(call, "editusers", "add new users");
  const login = firstText(call.input, "email")?.trim() ?? "";
  if (login === "") throw faults.parameterMissing("email");
  checkLogin(call, login);
  const real_name = firstText(call.input, "full_name")?.trim() ?? "";
  applyPeople(call.store, { users: [{ login, real_name }] });
  const id = idOf(call.store, "user", login);
  const password = firstText(call.input, "password")?.trim() ?? "";
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
export function checkLogin({ store, parameters }: Call, login: string, userId = 0): void {
  if (login === "") throw new Fault(400, 32000, "You must enter a login name for the new user.");
  if (login.length > MAX_LENGTH || readPattern(parameters.emailregexp).test?.(login) === false) {
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
