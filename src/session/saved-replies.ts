import { isReplyName, type SettingValues } from "../config/settings.ts";

/** Saved replies by their names without `reply.`. */
export function savedReplies(settings: SettingValues): ReadonlyMap<string, string> {
  const names = Object.keys(settings).filter(isReplyName).sort();
  return new Map(names.map((name) => [name.slice("reply.".length), settings[name] ?? ""]));
}
