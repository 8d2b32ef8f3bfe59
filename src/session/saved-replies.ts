import { isReplyName, type SettingValues } from "../config/settings.ts";

/** Names that a saved reply may have in braces, which the bug fills in. */
export const REPLY_PLACES = ["reporter", "assignee", "id", "product", "component"] as const;

/** Saved replies by their names without `reply.`. */
export function savedReplies(settings: SettingValues): ReadonlyMap<string, string> {
  const names = Object.keys(settings).filter(isReplyName).sort();
  return new Map(names.map((name) => [name.slice("reply.".length), settings[name] ?? ""]));
}
