import type { JobHead } from "./api/delivery/job.ts";
import type { Beginner } from "./api/delivery/look-as.ts";
import { fingerprintOf, isFingerprintOf } from "./config/fingerprint.ts";
import { usage } from "./errors.ts";
import type { Secret } from "./secret.ts";

/** Who is writing: the login and the credential as far as the configuration tells, and the login as the tracker tells it. */
export type Requester = {
  readonly login: () => Promise<string | undefined>;
  readonly credential: () => Promise<Secret | undefined>;
  readonly me: () => Promise<string | undefined>;
};

/** What the head of a job keeps of whose it is. */
export async function ownerOf({
  login,
  credential,
}: Omit<Requester, "me">): Promise<Pick<JobHead, "user" | "credential">> {
  const key = await credential();
  return { user: await login(), credential: key === undefined ? "none" : await fingerprintOf(key.reveal()) };
}

/**
 * Whether the requester has begun a job: undefined where the login or the credential is the same, else who has, which is
 * refused unless it is wanted so.
 */
export async function beginnerOf(
  head: JobHead,
  requester: Requester,
  { asMe }: { readonly asMe: boolean },
): Promise<Beginner | undefined> {
  if ((await isSameCredential(head, requester)) || (await isSameLogin(head, requester))) return undefined;
  if (asMe) return { user: head.user };
  throw usage(`job ${head.job} ${await strangeness(head, requester)}`, asMeHint(head.job));
}

async function isSameCredential({ credential: kept }: JobHead, { credential }: Requester): Promise<boolean> {
  const key = await credential();
  if (kept === undefined || key === undefined) return kept === "none" && key === undefined;
  return kept !== "none" && isFingerprintOf(key.reveal(), kept);
}

async function isSameLogin({ user }: JobHead, { credential, me }: Requester): Promise<boolean> {
  if (user === undefined || (await credential()) === undefined) return false;
  return (await me())?.toLowerCase() === user.toLowerCase();
}

async function strangeness({ user, credential: kept }: JobHead, { credential, me }: Requester): Promise<string> {
  const now = (await credential()) === undefined ? "an anonymous user" : ((await me()) ?? "this API key");
  if (user !== undefined) return `was begun by ${user}, not by ${now}`;
  if (kept === undefined) return "does not tell who began it";
  return kept === "none" ? `was begun anonymously, not by ${now}` : `was begun with another API key`;
}

function asMeHint(job: string): string {
  return `bt resume ${job} --as-me verifies it, and sends as you only what is not applied`;
}
