import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import type { Json, Request } from "../../wire/exchange.ts";
import { MINUTE_MS, timestamp } from "../../wire/time.ts";
import {
  ANONYMOUS,
  asRequester,
  type Call,
  isEnabled,
  type Requester,
  type Runtime,
  requireLogin,
  type ServerParameters,
  type User,
  userById,
  userByLogin,
} from "../http/call.ts";
import { firstTextValue } from "../http/input.ts";
import { deleteExpired, type Store } from "../store/store.ts";
import { asText, Fault, faults, withBooleans } from "../values.ts";

/** A request with everything that authentication reads. */
export type UnauthenticatedRequest = Pick<Call, "credentials" | "parameters" | "now"> & { readonly request: Request };

/**
 * The requester, by the first credentials present of: login and password, login token, API key; anonymous without any.
 * @throws Fault invalid_login_or_password, account_disabled, api_key_not_valid or other if these are invalid, even if
 * others are valid
 * @see Bugzilla/Auth.pm, login
 */
export function authenticate(store: Store, sent: UnauthenticatedRequest): Requester {
  const user = userByPassword(store, sent) ?? userByToken(store, sent) ?? userByKey(store, sent);
  if (!user) return ANONYMOUS;
  if (user.is_enabled === 0)
    throw new Fault(
      "account_disabled",
      `${user.disabled_text} If you believe your account should be restored, please send email to ${sent.parameters.maintainer} explaining why.`,
    );
  return asRequester(store, user);
}

const USE_TOKEN = "UPDATE login_tokens SET last_used = @now WHERE token_sha256 = @token AND user_id = @userId";

/**
 * The user of a login token, whose use is recorded; undefined if nothing of its form was sent.
 * @throws Fault other for an unknown or expired token
 */
function userByToken(store: Store, { credentials, now }: UnauthenticatedRequest): User | undefined {
  const { token } = credentials;
  const userId = typeof token === "string" ? /^(\d+)-\w+$/.exec(token)?.[1] : undefined;
  if (userId === undefined) return undefined;
  deleteExpired(store, "login_tokens", now);
  const updated = store.run(USE_TOKEN, { token: sha256(String(token)), userId: Number(userId), now });
  if (updated.changes === 0)
    throw new Fault(
      "other",
      "The cookies or token provide were not valid or have expired. You may login again to get new cookies or a new token.",
    );
  return userById(store, Number(userId));
}

type KeyRow = { user_id: number; is_revoked: number };

/** The user of an API key; undefined if none was sent. @throws Fault api_key_not_valid */
function userByKey(store: Store, { request, credentials, parameters }: UnauthenticatedRequest): User | undefined {
  const sent = credentials.api_key ?? headerKey(request, parameters) ?? "";
  if (sent === "") return undefined;
  const key = typeof sent === "string" ? sent.trim() : "";
  const row = store.get<KeyRow>("SELECT user_id, is_revoked FROM api_keys WHERE key_sha256 = ?", [sha256(key)]);
  if (!row)
    throw new Fault(
      "api_key_not_valid",
      "The API key you specified is invalid. Please check that you typed it correctly.",
    );
  if (row.is_revoked !== 0)
    throw new Fault("api_key_not_valid", "The API key you specified has been revoked by the user that created it.");
  return userById(store, row.user_id);
}

function headerKey({ headers = {} }: Request, parameters: ServerParameters): string | undefined {
  return isEnabled(parameters.header_api_keys)
    ? (headers["x-bugzilla-api-key"] ?? /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1])
    : undefined;
}

/** Stored form of no password; comparing with it takes as long as with a user's. */
const NO_PASSWORD = `scrypt$00$${"00".repeat(32)}`;

const FIND_PASSWORD = "SELECT password_hash FROM users WHERE id = ?";

/** Wrong passwords of the last minute, by the hash of the login that was sent, whether it is of a user or not. */
const FAILURES = new WeakMap<Store, { loginHash: string; time: string }[]>();
const MAX_FAILURES = 5; // of a login in a minute

/** The user, if the password matches. A name of no user takes as long and has the same message. */
function userByPassword(store: Store, { credentials, now }: UnauthenticatedRequest): User | undefined {
  const { login, password } = credentials;
  if (login === undefined || password === undefined) return undefined;
  const failures = (FAILURES.get(store) ?? []).filter(({ time }) => time > timestamp(Date.parse(now) - MINUTE_MS));
  const loginHash = sha256(String(login).toLowerCase()); // a login that was sent may be very long
  if (failures.filter((failure) => failure.loginHash === loginHash).length >= MAX_FAILURES)
    throw new Fault("other", "Too many wrong passwords; retry in a minute.", 429);
  const user = typeof login === "string" ? userByLogin(store, login) : undefined; // a repeated parameter is no login
  const [stored] = store.values<string | null>(FIND_PASSWORD, [user?.id ?? null]);
  if (matchesPassword(String(password), stored ?? NO_PASSWORD) && user) return user;
  FAILURES.set(store, [...failures, { loginHash, time: now }]);
  throw new Fault("invalid_login_or_password", "The login or password you entered is not valid.");
}

/** Login; the password was checked by `authenticate`. */
export function logIn({ store, requester, input, credentials, now, runtime }: Call): Json {
  for (const name of ["login", "password"] as const) {
    if ((credentials[name] ?? input[name] ?? "") === "") throw faults.parameterMissing(name);
  }
  if (!requester.user) throw faults.loginRequired();
  const { id } = requester.user;
  const token = `${id}-${Buffer.from(runtime.random(16)).toString("hex")}`;
  deleteExpired(store, "login_tokens", now);
  store.run("INSERT INTO login_tokens (user_id, token_sha256, last_used) VALUES (?, ?, ?)", [id, sha256(token), now]);
  return { id, token };
}

export function logOut({ store, credentials }: Call): Json {
  store.run("DELETE FROM login_tokens WHERE token_sha256 = ?", [sha256(asText(credentials.token, "token"))]);
  return null;
}

/** Who Am I; servers that have this resource accept API keys in headers, older ones do neither. */
export function whoAmI(call: Call): Json {
  if (!isEnabled(call.parameters.header_api_keys)) throw faults.noSuchResource("GET /whoami");
  const { id, login, real_name } = requireLogin(call);
  return { id, name: login, real_name };
}

export function getValidLogin({ requester, input }: Call): Json {
  const name = firstTextValue(input, "login");
  if (name === undefined) throw faults.parameterMissing("login");
  return requester.user?.login === name;
}

/** Stores a user's new password and deletes their login tokens. */
export function setPassword(store: Store, userId: number, password: string, salt: Uint8Array): void {
  store.run("UPDATE users SET password_hash = ? WHERE id = ?", [hashPassword(password, salt), userId]);
  store.run("DELETE FROM login_tokens WHERE user_id = ?", [userId]);
}

/** SHA-256 of an API key or token in hex, the form in which it is stored. */
export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Stored form of a password: `scrypt$SALT$KEY`, both in hex. */
export function hashPassword(password: string, salt: Uint8Array): string {
  const text = Buffer.from(salt).toString("hex");
  return `scrypt$${text}$${deriveKey(password, text)}`;
}

/** True if a password matches its stored form; compares in constant time. */
function matchesPassword(password: string, stored: string): boolean {
  const [method, salt, required] = stored.split("$");
  if (method !== "scrypt" || salt === undefined || required === undefined) return false;
  const actual = Buffer.from(deriveKey(password, salt), "hex");
  const expected = Buffer.from(required, "hex");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function deriveKey(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString("hex");
}

type ApiKey = { id: number; login: string; description: string; creation_time: string; is_revoked: number };

/** All API keys, without the keys themselves, of which only hashes are stored. */
export function listApiKeys(store: Store) {
  return store.all<ApiKey>(API_KEYS).map(withBooleans);
}

const API_KEYS = `SELECT api_keys.id, login, description, creation_time, is_revoked
  FROM api_keys JOIN users ON users.id = user_id ORDER BY api_keys.id`;

/** Creates an API key of 160 bits and returns it in hex; only its SHA-256 is stored. */
export function createApiKey(store: Store, { now, random }: Runtime, userId: number, description: string): string {
  const key = Buffer.from(random(20)).toString("hex");
  store.run("INSERT INTO api_keys (user_id, key_sha256, description, creation_time) VALUES (?, ?, ?, ?)", [
    userId,
    sha256(key),
    description,
    timestamp(now()),
  ]);
  return key;
}

/** Revokes an API key. @throws Fault object_does_not_exist if there is none with this id */
export function revokeApiKey(store: Store, id: number): void {
  const { changes } = store.run("UPDATE api_keys SET is_revoked = 1 WHERE id = ?", [id]);
  if (changes === 0) throw faults.noSuchId("API key", String(id));
}
