import type { Setting } from "./settings.ts";

/** Name of a saved reply among the settings: `reply.thanks`. */
export type ReplyName = `reply.${string}`;

/** Type and help of the settings of saved replies. */
export const REPLY: Setting = { type: "lines", about: "saved reply of bug triage; {reporter} is filled in" };

/** True for the name of a saved reply. */
export function isReplyName(name: string): name is ReplyName {
  return /^reply\.[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name);
}
