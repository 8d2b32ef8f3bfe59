import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { faults } from "../http/fault.ts";
import { firstTextValue, isFlagSet } from "../http/input.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { pruneOldest } from "../store/prune.ts";
import { sha256 } from "./passwords.ts";

/**
 * Routes of Login, Logout, Valid Login and Who Am I.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#login
 */
export const sessionRoutes: readonly Route[] = [
  { method: "GET", path: "/login", credentials: "optional", writes: true, handle: (call) => login(call) },
  { method: "GET", path: "/logout", writes: true, handle: (call) => logout(call) },
  { method: "GET", path: "/valid_login", credentials: "optional", handle: (call) => isValidLogin(call) },
  { method: "GET", path: "/whoami", handle: (call) => whoAmI(call) },
];

// The password was checked by `authenticate`.
function login({ store, requester, input, now, runtime, address }: Call): Json {
  for (const name of ["login", "password"]) {
    if (!isFlagSet(input, name) && !isFlagSet(input, `Bugzilla_${name}`)) throw faults.parameterMissing(name);
  }
  if (!requester.user) throw faults.loginRequired();
  const { id } = requester.user;
  const token = `${id}-${Buffer.from(runtime.random(16)).toString("hex")}`;
  pruneOldest(store, "login_tokens", now);
  store.run("INSERT INTO login_tokens (user_id, token_sha256, address, last_used) VALUES (?, ?, ?, ?)", [
    id,
    sha256(token),
    isFlagSet(input, "restrict_login") ? address : null,
    now,
  ]);
  return { id, token };
}

function logout({ store, input }: Call): Json {
  const token = firstTextValue(input, "token") ?? firstTextValue(input, "Bugzilla_token") ?? "";
  store.run("DELETE FROM login_tokens WHERE token_sha256 = ?", [sha256(token)]);
  return null;
}

// Servers that have this resource accept API keys in headers; older ones do neither.
function whoAmI({ requester, parameters }: Call): Json {
  if (!isEnabled(parameters.header_api_keys)) throw faults.noSuchResource("GET /whoami");
  if (!requester.user) throw faults.loginRequired();
  const { id, login, real_name } = requester.user;
  return { id, name: login, real_name };
}

function isValidLogin({ requester, input }: Call): Json {
  const name = firstTextValue(input, "login");
  if (name === undefined) throw faults.parameterMissing("login");
  return requester.user?.login === name;
}
