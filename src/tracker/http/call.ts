import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";

export type User = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
  readonly email_enabled: number;
};

/** Author of a request: a user or nobody, and the names of all their groups, inherited ones included. */
export type Requester = {
  readonly user: User | undefined;
  readonly groups: ReadonlySet<string>;
};

/** Clock, randomness and settings that a tracker gets from its process. */
export type Runtime = {
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly report?: (failure: unknown) => void; // receives unexpected exceptions; the requester sees none of their details
  readonly isStrict?: boolean; // rejects unknown search parameters and values, which Bugzilla ignores
};

export type SentCredentials = {
  login: Json | undefined;
  password: Json | undefined;
  token: Json | undefined;
  api_key: Json | undefined;
};

/** One request as its handler gets it. */
export type Call = {
  readonly store: Store; // inside the request's transaction
  readonly requester: Requester;
  readonly parameters: ServerParameters;
  readonly path: Readonly<Record<string, string>>; // values of the path's placeholders, decoded
  readonly input: JsonObject; // query and body merged, no credentials; a repeated query parameter of a GET is a list of strings
  readonly credentials: SentCredentials;
  readonly now: string; // time of the request, like 2026-11-20T05:57:24Z
  readonly runtime: Runtime;
};

/**
 * One row of the routing table. `path` is relative to /rest, with placeholders in braces. `handle`
 * returns the JSON of the response (a scalar is wrapped as `{result}`) or throws a Fault.
 */
export type Route = {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly status?: 200 | 201;
  readonly credentials?: "ignored" | "optional"; // default: optional, but required where the parameter `requirelogin` is on
  readonly writes?: boolean; // a GET that writes
  readonly isAudited?: boolean; // changes the setup: its time is that of the last audit
  readonly handle: (call: Call) => Json;
};

/** Server parameters that everybody may read, with their defaults; booleans are "1" and "0". */
const FOR_EVERYBODY = {
  maintainer: "admin@example.org",
  requirelogin: "0",
} as const;

/** Parameters that users may read, too. @see Bugzilla/WebService/Bugzilla.pm, PARAMETERS_LOGGED_IN */
const FOR_USERS = {
  allowemailchange: "0",
  attachment_base: "",
  commentonchange_resolution: "0",
  commentonduplicate: "0",
  cookiepath: "/",
  defaultopsys: "",
  defaultplatform: "",
  defaultpriority: "---",
  defaultseverity: "enhancement",
  duplicate_or_move_bug_status: "RESOLVED",
  emailregexpdesc: "A legal address must contain exactly one '@', and at least one '.' after the @.",
  emailsuffix: "",
  letsubmitterchoosemilestone: "1",
  letsubmitterchoosepriority: "1",
  mailfrom: "bugzilla-daemon@localhost",
  maxattachmentsize: "1000",
  maxlocalattachment: "0",
  musthavemilestoneonaccept: "0",
  noresolveonopenblockers: "0",
  password_complexity: "no_constraints",
  rememberlogin: "on",
  search_allow_no_criteria: "1",
  urlbase: "",
  use_see_also: "1",
  useclassification: "0",
  usemenuforusers: "0",
  useqacontact: "1",
  usestatuswhiteboard: "1",
  usetargetmilestone: "1",
} as const;

/** Server parameters that only administrators may read, too. */
const FOR_ADMINISTRATORS = {
  comment_taggers_group: "editbugs",
  default_search_limit: "500",
  header_api_keys: "0", // not Bugzilla's: accept API keys in headers and serve /whoami, as newer servers do
  insidergroup: "admin",
  max_search_results: "10000",
  timetrackinggroup: "editbugs",
  utf8: "utf8mb4",
  webservice_email_filter: "0",
} as const;

export const PARAMETER_DEFAULTS = { ...FOR_EVERYBODY, ...FOR_USERS, ...FOR_ADMINISTRATORS };

export type ServerParameters = Readonly<Record<keyof typeof PARAMETER_DEFAULTS, string>>;

/** The names of the server parameters that anonymous requesters and logged-in users may read. */
export const READABLE_PARAMETERS = {
  anonymous: Object.keys(FOR_EVERYBODY),
  user: Object.keys({ ...FOR_EVERYBODY, ...FOR_USERS }),
} as const;

export function readServerParameters(store: Store): ServerParameters {
  const rows = store.all<{ name: string; value: string }>("SELECT name, value FROM parameters");
  return { ...PARAMETER_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/** True if a boolean parameter is on: anything but "" and "0". */
export function isEnabled(value: string): boolean {
  return value !== "" && value !== "0";
}
