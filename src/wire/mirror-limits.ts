/** Conditions and requests that a mirror cannot decide, with the reasons: for refusals, and for the manual. */
export const MIRROR_LIMITS = {
  visits: { about: "is:unread, last_visit", reason: "trackers do not report when you visited a bug" },
  idle: { about: "idle", reason: "it depends on the activity on all bugs of the tracker" },
  members: { about: "@group.NAME", reason: "the members of the group are not in the mirror" },
  content: { about: "attachment_data", reason: "the contents of attachments are not in the mirror" },
  hours: { about: "estimated_time, remaining_time, actual_time, complete", reason: "your login cannot see hours" },
  privacy: {
    about: "private_comment, private_attachment, without private ones in the mirror",
    reason: "whether your login may see private comments is not in the mirror",
  },
  pattern: { about: "=~ with \\d, \\b, lazy or named parts", reason: "regular expressions differ between databases" },
  lines: {
    about: "=~ with . or [^x] on texts of several lines",
    reason: "databases differ on whether it matches a line break",
  },
  field: { about: "votes, fields of extensions that are not custom fields", reason: "the field is not in the mirror" },
  logins: {
    about: "users, if the tracker shortens logins for anonymous users",
    reason: "their complete logins and names are not in the mirror",
  },
  groups: { about: "group list, group get", reason: "your login may not read the groups of the tracker" },
  server: {
    about: "version, time and parameters of the server",
    reason: "data of the server itself is not in the mirror",
  },
} as const;

/** Name of a limit. */
export type MirrorLimit = keyof typeof MIRROR_LIMITS;
