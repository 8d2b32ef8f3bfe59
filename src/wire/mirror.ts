import type { JsonObject } from "./exchange.ts";

/** A bug with all that belongs to it, as the tracker returned it. */
export type ReceivedBug = {
  readonly bug: JsonObject;
  readonly comments: readonly JsonObject[];
  readonly history: readonly JsonObject[]; // entries, oldest first
  readonly attachments: readonly JsonObject[]; // with their `data` if it is kept
};

/** Metadata of a tracker, as it returned them; what the login may not read is absent. */
export type ReceivedMetadata = {
  readonly fields: readonly JsonObject[];
  readonly products: readonly JsonObject[]; // accessible ones, with their parts
  readonly enterable?: readonly number[]; // ids of the products open for new bugs
  readonly groups?: readonly JsonObject[];
  readonly users?: readonly JsonObject[];
  readonly parameters?: JsonObject;
};

/** State of a bug in a mirror; one that `failed` could not be read, as `reason` tells, and stays as it was read before. */
export type MirrorState = "held" | "failed";

/** A bug of a mirror without its content; `readTime` is when it was last read in full, by the clock of this machine. */
export type MirroredBug = {
  readonly id: number;
  readonly lastChangeTime: string;
  readonly readTime: string;
  readonly state: MirrorState;
  readonly reason?: string;
};

/**
 * Progress of a first sync: open bugs are read first, then closed ones, then all ids are compared. `below` is the id to go
 * on below; `share` of the phase is estimated by ids, from 0 to 1.
 */
export type MirrorProgress = {
  readonly phase: "open" | "closed" | "check";
  readonly below: number | null; // null: from the highest id
  readonly top: number; // highest id of the phase
  readonly done: number; // bugs read so far, in all phases
  readonly share: number;
};

/** A time by the clock of this machine, `until` exclusive. */
export type Settling = { readonly from: string; readonly until: string };

/**
 * Differences that a tracker ignores when it compares texts: letter case; also accents; or accents where a part of a
 * text has as many bytes as the searched text, as MySQL and MariaDB do.
 */
export type TextFolding = (typeof TEXT_FOLDINGS)[number];

export const TEXT_FOLDINGS = ["case", "accents", "bytes"] as const;

/** Facts about a mirror. Times are ISO 8601 UTC; those of the tracker are compared, never computed with. */
export type MirrorFacts = {
  readonly version: number; // of the mirror's own tables
  readonly tracker: string; // address
  readonly login: string | null; // null: anonymous
  readonly products: readonly string[]; // whose bugs it has; empty: those of all products
  readonly attachments: "none" | "all"; // whose content is kept
  readonly publicOnly: boolean;
  readonly mark: string | null; // greatest last_change_time received; null before the first sync
  readonly settled: string | null; // mark near which bugs were read again later: none of their changes was missed
  readonly wide: string | null; // mark when a whole day was read last
  readonly progress: MirrorProgress | null; // null: complete
  readonly lastSync: string | null; // start of the last complete sync, by the clock of this machine
  readonly checked: string | null; // day of the last request of the daily metadata, by the clock of this machine
  readonly audit: string | null; // last_audit_time as received
  readonly settling: Settling | null; // bugs read in this time may have names from before a change of settings
  readonly highestId: number; // seen on the tracker
  readonly lowestId: number; // seen on the tracker by the last sync; 0: none
  readonly longestPage: number; // bugs in the longest page received: the tracker returns at least as many
  readonly checkedAbove: number | null; // the ids above are checked in this round
  readonly groups: readonly string[] | null; // of the login; null: not visible
  readonly savedSearches: JsonObject[] | null; // of the login; null: not visible, or left out
  readonly folding: TextFolding | null; // null: not known yet
  readonly isInsider: boolean | null; // the login may search private comments and attachments; null: it received none
  readonly hasPages: boolean | null; // the tracker has pages for people; null: not known yet
  readonly zone: string | null; // time zone in which the tracker reads times, if proven
};

export type MirrorCounts = Readonly<Record<MirrorState, number>> & {
  readonly restrictedBugs: number;
  readonly privateComments: number;
  readonly privateAttachments: number;
};

/** The store of a mirror as its sync uses it. Each function is one transaction. */
export type MirrorStore = {
  readonly facts: () => MirrorFacts;
  readonly setFacts: (facts: Partial<MirrorFacts>) => void;
  /** Stores metadata, also in the facts; bugs with a value that was renamed in an unclear way become stale. */
  readonly keepMetadata: (metadata: ReceivedMetadata) => void;
  /** True if the fields are those that were stored. */
  readonly hasFields: (fields: readonly JsonObject[]) => boolean;
  /** Names of the products that the tracker listed last. */
  readonly productNames: () => readonly string[];
  /** Stores bugs as received, and facts in the same transaction; the event loop turns meanwhile. */
  readonly keepBugs: (bugs: readonly ReceivedBug[], readTime: string, facts?: Partial<MirrorFacts>) => Promise<void>;
  /** True for an attachment whose content is not kept. */
  readonly lacksData: (attachment: JsonObject) => boolean;
  readonly markFailed: (failed: readonly { readonly id: number; readonly reason: string }[], readTime: string) => void;
  /** Removes bugs; the kept ones that refer to one of them become stale, since they may have changed. */
  readonly removeBugs: (ids: readonly number[]) => void;
  /** Logins of users whose id on the tracker was not received, as far as bugs have them. */
  readonly usersWithoutId: () => readonly string[];
  /** Makes the bugs stale that have one of these logins: its user was renamed. */
  readonly markStaleOf: (logins: readonly string[]) => void;
  /** Makes the bugs stale that were read in this time. */
  readonly markStale: (read: Settling) => void;
  /** Bugs that have to be read again although their time did not change. */
  readonly staleBugs: () => readonly MirroredBug[];
  /** Rows of the mirror's bugs with these ids; or of all, or those that meet the other conditions. By id. */
  readonly bugs: (which: MirroredBugs) => readonly MirroredBug[];
  /** Names of the open and of the closed statuses. */
  readonly statuses: () => { readonly open: readonly string[]; readonly closed: readonly string[] };
  /** Ids of users on the tracker, as far as they were received. */
  readonly userIds: () => readonly number[];
  /** Some held bugs with an accent in their summaries, for probing how the tracker compares. */
  readonly accentedBugs: () => readonly AccentedBug[];
  readonly counts: () => MirrorCounts;
  readonly oldestRead: () => string | null;
};

/** A bug with an accent in its summary. */
export type AccentedBug = { readonly id: number; readonly summary: string };

/** Filter of a mirror's bugs. */
export type MirroredBugs = {
  readonly ids?: readonly number[];
  readonly from?: number; // inclusive
  readonly below?: number; // exclusive
  readonly since?: string; // with this time of change, or a later one
  readonly state?: MirrorState;
  readonly highest?: number; // only so many, those with the highest ids
};

/** Conditions and requests that a mirror cannot decide, with the reasons: for refusals, and for the manual. */
export const MIRROR_LIMITS = {
  visits: { about: "is:unread, last_visit", reason: "when you visited a bug is not in the mirror" },
  idle: { about: "idle", reason: "it depends on the activity on all bugs of the tracker" },
  members: { about: "@group.NAME, user search --group", reason: "the members of the group are not in the mirror" },
  content: {
    about: "attachment_data, attachment download, of a mirror created without --attachments all",
    reason: "the contents of attachments are not in the mirror; bt mirror create NAME --attachments all copies them",
  },
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

export type MirrorLimit = keyof typeof MIRROR_LIMITS;
