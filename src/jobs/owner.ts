import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { JobOwner } from "../api/delivery/write-kinds.ts";
import { usage } from "../errors.ts";
import type { Secret } from "../secret.ts";
import type { JobHead } from "./job.ts";

/** The current user: login and credential of the configuration, and the login reported by the tracker. */
export type JobRequester = {
  readonly login: () => Promise<string | undefined>;
  readonly credential: () => Promise<Secret | undefined>;
  readonly me: () => Promise<string | undefined>;
};

/** Owner of a new job, as stored in its head. */
export async function jobOwner({
  login,
  credential,
}: Omit<JobRequester, "me">): Promise<Pick<JobHead, "user" | "credential">> {
  const key = await credential();
  return { user: await login(), credential: key === undefined ? "none" : await fingerprintOf(key.reveal()) };
}

/**
 * Undefined if the current user began the job, by login or credential; else its owner.
 * @throws BtError if the job belongs to someone else, unless `asMe` is set
 */
export async function foreignOwner(
  head: JobHead,
  requester: JobRequester,
  { asMe }: { asMe: boolean },
): Promise<JobOwner | undefined> {
  if ((await isSameCredential(head, requester)) || (await isSameLogin(head, requester))) return undefined;
  if (asMe) return { user: head.user };
  throw usage(`job ${head.job} ${await foreignOwnerText(head, requester)}`, asMeHint(head.job));
}

async function isSameCredential({ credential: kept }: JobHead, { credential }: JobRequester): Promise<boolean> {
  const key = await credential();
  if (kept === undefined || key === undefined) return kept === "none" && key === undefined;
  return kept !== "none" && isFingerprintOf(key.reveal(), kept);
}

async function isSameLogin({ user }: JobHead, { credential, me }: JobRequester): Promise<boolean> {
  if (user === undefined || (await credential()) === undefined) return false;
  return (await me())?.toLowerCase() === user.toLowerCase();
}

async function foreignOwnerText(
  { user, credential: kept }: JobHead,
  { credential, me }: JobRequester,
): Promise<string> {
  const now = (await credential()) === undefined ? "an anonymous user" : ((await me()) ?? "this API key");
  if (user !== undefined) return `was started by ${user}, not by ${now}`;
  if (kept === undefined) return "does not record its owner";
  return kept === "none" ? `was started anonymously, not by ${now}` : `was started with another API key`;
}

function asMeHint(job: string): string {
  return `bt job send ${job} --as-me verifies it, and resends as you only what was not applied`;
}

/** Salted scrypt hash of a credential. */
export type Fingerprint = { readonly salt: string; readonly scrypt: string }; // base64

/** Fingerprint of a credential. Takes about 50 ms off the event loop the first time; the salt is fixed per process. */
async function fingerprintOf(credential: string): Promise<Fingerprint> {
  return { salt: SALT, scrypt: await cachedHash(credential, SALT) };
}

/** True if a fingerprint matches the credential. */
async function isFingerprintOf(credential: string, { salt, scrypt: kept }: Fingerprint): Promise<boolean> {
  const hash = Buffer.from(await cachedHash(credential, salt));
  return hash.length === Buffer.byteLength(kept) && timingSafeEqual(hash, Buffer.from(kept));
}

const LENGTH = 32;
const SALT = randomBytes(16).toString("base64");
const known = new Map<string, Promise<string>>();

function cachedHash(credential: string, salt: string): Promise<string> {
  const key = `${salt} ${credential}`;
  const hash = known.get(key) ?? hashCredential(credential, salt);
  known.set(key, hash);
  return hash;
}

function hashCredential(credential: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(credential, Buffer.from(salt, "base64"), LENGTH, (error, hash) =>
      error ? reject(error) : resolve(hash.toString("base64")),
    );
  });
}
