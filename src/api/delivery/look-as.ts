import { kindOf } from "./kinds.ts";
import type { Eyes, Finding, Sent } from "./write.ts";

/** Who has begun a job that another user resumes, as far as the journal tells. */
export type Beginner = { readonly user: string | undefined };

/**
 * Looks for a write that may be the work of the requester or of another user. What is there by a third one, or by nobody
 * knows whom, proves nothing; only where nobody has made it, it is absent.
 */
export async function lookAs(beginner: Beginner | undefined, sent: Sent, eyes: Eyes): Promise<Finding> {
  const { look } = kindOf(sent.request);
  if (beginner === undefined) return look(sent, eyes);
  for (const me of new Set([eyes.me, beginner.user])) {
    const finding = me === undefined ? undefined : await look(sent, { ...eyes, me });
    if (finding?.sight === "present") return finding;
  }
  const finding = await look(sent, { ...eyes, me: undefined });
  return finding.sight === "present" ? { sight: "contradiction", details: [BY_ANOTHER] } : finding;
}

const BY_ANOTHER = "the same was made by another user";
