import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { isAboutKey } from "../../api/facts/identity.ts";
import { isInsider } from "../../api/facts/insider.ts";
import { GET_BUG_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { EVERY_BUG, SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { GET_LAST_VISITS, GET_USERS, TIME, VERSION } from "../../api/operations/tracker.ts";
import { invalidResponseError } from "../../api/response/failed-response.ts";
import { listUnder, readBugs } from "../../api/response/response-objects.ts";
import { FLAG_TYPE_READS } from "../../api/write/flags.ts";
import { folderFor } from "../../config/files.ts";
import { BtError, isNotOffered, LOG_IN } from "../../errors.ts";
import { listJobs } from "../../jobs/job-files.ts";
import { LOGIN_HINT, type LoginAccess } from "../../session/session.ts";
import { countText, plain } from "../../view/text.ts";
import { factsText, sortByImportance, type TrackerFact } from "../../view/tracker-facts.ts";
import { wrap } from "../../view/wrap.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { once } from "../../wire/once.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, isJson, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import type { AuthContext } from "./auth-context.ts";

/**
 * `bt auth status`: who you are on the tracker, and what it has and lacks for you.
 * @throws BtError of kind auth unless logged in
 */
export async function showAuthStatus(_: SharedInput, context: Context): Promise<void> {
  const { access, address, login, settings } = context.session;
  if (access === undefined) {
    return showStatus({ base_url: address, state: "logged in", user: await login() }, context); // no login needed
  }
  const status = await readAuthStatus(address, access, settings.login);
  const isTaken = status.state === "logged in" || status.state === "unknown";
  if (!isTaken) await proveTracker({ ...access, baseUrl: address });
  await showStatus(status, context);
  if (status.state === "unknown") throw unprovenError(status.user);
  if (!isTaken) throw new BtError("auth", "not logged in", { hint: LOG_IN, changed: "nothing" });
}

function unprovenError(user: string | undefined): BtError {
  const check = user === undefined ? "bt config set login LOGIN lets bt use it" : `is ${user} the key's login?`;
  return new BtError("auth", "cannot tell whether you are logged in", { hint: check, changed: "nothing" });
}

async function showStatus(status: AuthStatus, context: Context): Promise<void> {
  const { io, output } = context;
  const { view } = output;
  const { state, user, source } = status;
  const isBadKey = state === "refused" || (state === "anonymous" && source !== undefined);
  const account = { context, send: context.session.send, isLoggedIn: state === "logged in", user };
  const readFacts = async () => (isBadKey ? [] : readTrackerFacts(account)); // nothing is sent with it
  if (!output.isChosen) {
    const facts = factsText(await readFacts(), view);
    const sentence = plain(io.hide(statusSentence(status))); // a secret is found before its line is broken
    const lines = wrap(sentence, view.terminal ? view.width : Infinity);
    return io.out(`${lines.join("\n")}\n${facts && `\n${facts}`}`);
  }
  const all = wireColumns<AuthStatus & { facts: TrackerFact[] }>([
    "base_url",
    "state",
    "user",
    "source",
    "style",
    ...(isJson(context) ? (["facts"] as const) : []),
  ]);
  const columns = chosenColumns(all, context);
  const facts = columns.some(({ name }) => name === "facts") ? await readFacts() : [];
  await showList(context, { columns, pages: [[{ ...status, facts }]] });
}

/** Authenticated user and origin of the key; never the key. */
type AuthStatus = {
  base_url: string;
  state: "logged in" | "anonymous" | "refused" | "unknown";
  user?: string | undefined;
  isSet?: boolean; // the user is the one in the settings
  source?: string | undefined;
  style?: AuthStyle | undefined;
  reason?: string | undefined; // the tracker's message when it rejected the key
};

/**
 * Checks that a tracker answers at the address, for a login before it prompts for secrets.
 * @throws BtError of kind reply or missing if something else does
 */
export async function proveTracker(auth: Pick<AuthContext, "baseUrl" | "sendAs">): Promise<void> {
  const request = requestFor(VERSION);
  try {
    const response = await auth.sendAs()(request);
    if (isObject(response) && typeof response["version"] === "string") return;
    throw invalidResponseError(request, "contains no version");
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    if (error.kind === "refused" && error.facts.httpStatus === undefined) throw error; // it says what is missing
    if (await maySearch(auth)) return; // its version is no part of the interface
    throw new BtError(error.kind, `no tracker answers at ${auth.baseUrl}`, {
      ...error.facts,
      details: [error.message],
      hint: "copy the address of its start page from the browser; it may have a path, such as /bugzilla",
      changed: "nothing",
    });
  }
}

async function maySearch(auth: Pick<AuthContext, "baseUrl" | "sendAs">): Promise<boolean> {
  try {
    readBugs(await auth.sendAs()(requestFor(SEARCH_BUGS, [...EVERY_BUG, ["limit", "1"]])));
    return true;
  } catch (error) {
    if (error instanceof BtError) return error.kind === "auth"; // it wants a login
    throw error;
  }
}

/** Whom the tracker takes the key for now; `set` is the login in the settings. */
export async function readAuthStatus(
  base_url: string,
  { key, proveAccount }: Pick<LoginAccess, "key" | "proveAccount">,
  set: string | undefined,
): Promise<AuthStatus> {
  try {
    const { state, login, ...account } = await proveAccount();
    if (state === "ignored" || state === "anonymous") return { base_url, ...account, state: "anonymous" };
    return { base_url, ...account, state, user: login ?? set, isSet: login === undefined && set !== undefined };
  } catch (error) {
    if (!(error instanceof BtError) || !isAboutKey(error)) throw error;
    return { base_url, state: "refused", source: (await key())?.source, reason: error.message };
  }
}

/** The status as a sentence. */
export function statusSentence({ base_url, state, user, isSet, source, reason }: AuthStatus): string {
  if (state === "refused") return `${base_url} rejected the API key from ${source}: ${reason}`;
  if (state === "anonymous")
    return source
      ? `${base_url} ignored the API key from ${source}: you are anonymous`
      : `not logged in to ${base_url}: you are anonymous`;
  const who = `${user ? ` as ${user}` : ""}${isSet ? " (as set, not checked)" : ""}`;
  if (state === "logged in") return `logged in to ${base_url}${who}${source ? ` (key from ${source})` : ""}`;
  return `${base_url} does not report whether it accepted the API key from ${source}${who && `; used${who}`}`;
}

/** A tracker as an account sees it. */
type Viewed = {
  context: Context;
  send: SendRequest; // as that account
  isLoggedIn: boolean;
  user: string | undefined; // if the tracker reports it
  version: Json | undefined; // response to `VERSION`
  sample: () => Promise<Bug | undefined>; // a bug that the account may see
};

type Finding = Omit<TrackerFact, "name">;
type Check = (viewed: Viewed) => Promise<Finding | undefined>;

/** Checks of the tracker, each with at most one request, then of this machine; the most important first. */
const CHECKS: Readonly<Record<string, Check>> = {
  rights: inspectRights,
  rows: inspectSearchPage,
  clock: inspectClock,
  private_comments: inspectPrivateComments,
  hours: inspectHours,
  flag_types: inspectFlagTypes,
  attachments: inspectAttachments,
  emoji: inspectEmoji,
  last_visits: inspectLastVisits,
  time_zone: inspectTimeZone,
  visible_bugs: inspectVisibleBugs,
  bt: inspectProgram,
  folders: inspectFolders,
  jobs: inspectJobs,
};

/**
 * What a tracker has and lacks for an account, and what is on this machine, by importance.
 * @throws BtError of kind network or busy if the tracker does not respond
 */
export async function readTrackerFacts(account: Omit<Viewed, "sample" | "version">): Promise<TrackerFact[]> {
  const response = await unlessMissing(account.send(requestFor(VERSION)));
  const viewed: Viewed = { ...account, version: response, sample: once(() => readSampleBug(account.send)) };
  const facts: TrackerFact[] = [{ name: "version", ...versionFinding(response) }];
  for (const [name, check] of Object.entries(CHECKS)) {
    const finding = await check(viewed).catch((error) => unknownFinding(name, error));
    if (finding) facts.push({ name, ...finding });
  }
  const { hide } = account.context.io; // a secret is found before a view breaks its line
  return sortByImportance(facts.map((fact) => ({ ...fact, summary: hide(fact.summary) })));
}

function unknownFinding(name: string, error: unknown): Finding {
  if (!(error instanceof BtError)) throw error;
  return { state: "unknown", summary: `${name.replaceAll("_", " ")}: ${error.message}` };
}

async function readSampleBug(send: SendRequest): Promise<Bug | undefined> {
  const size = [
    ["include_fields", "id,product,component,estimated_time"],
    ["limit", "1"],
  ] as const;
  return readBugs(await send(requestFor(SEARCH_BUGS, [...EVERY_BUG, ...size])))[0];
}

function versionFinding(response: Json | undefined): Finding {
  if (response === undefined) return { state: "lacks", summary: "its version" };
  return { state: "has", summary: `version ${isObject(response) ? (response["version"] ?? "unknown") : "unknown"}` };
}

async function inspectSearchPage({ context: { session } }: Viewed): Promise<Finding | undefined> {
  if (session.facts.isInProcess) return undefined;
  const summary = "the conditions and orders of Bugzilla's search page";
  if ((await session.facts.dialect.name()) === "bugzilla") return { state: "has", summary };
  return {
    state: "lacks",
    summary,
    cost: "bt reads all bugs that meet the rest of a search, and cannot search changes, comments and full text",
  };
}

const MAX_SKEW_S = 60;

async function inspectClock({ send, context: { io, session } }: Viewed): Promise<Finding | undefined> {
  if (session.facts.isInProcess) return undefined;
  const response = await unlessMissing(send(requestFor(TIME)));
  const there = Date.parse(isObject(response) ? String(response["db_time"]) : "");
  if (!Number.isFinite(there))
    return { state: "lacks", summary: "its time", cost: "lost writes are dated by the Date header of responses" };
  const seconds = Math.round((io.now().getTime() - there) / 1000);
  if (Math.abs(seconds) <= MAX_SKEW_S) return { state: "has", summary: "a clock that matches this machine's" };
  return {
    state: "attention",
    summary: `the clock of this machine is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} the tracker's`,
    cost: "ages, and times such as -2h, are wrong by that",
    hint: "set the clock",
  };
}

/** The response to a request; undefined if the tracker does not have its resource. */
async function unlessMissing(response: Promise<Json>): Promise<Json | undefined> {
  return response.catch((error) => {
    if (!isNotOffered(error)) throw error;
    return undefined;
  });
}

/** Groups that decide what an account may do with any bug, and what it may do without them. */
const RIGHTS: Readonly<Record<string, string>> = {
  editbugs: "you can only change bugs that you reported or are responsible for",
  canconfirm: "your new bugs are unconfirmed",
};

async function inspectRights({ send, isLoggedIn, user }: Viewed): Promise<Finding | undefined> {
  if (!isLoggedIn) return undefined;
  if (user === undefined) return { state: "lacks", summary: "your login", cost: "@me is unknown", hint: LOGIN_HINT };
  const response = await send(requestFor(GET_USERS, { names: user, include_fields: "name,groups" }));
  const [account] = listUnder(response, "users").filter(isObject);
  const groups = account?.["groups"];
  if (!Array.isArray(groups)) return { state: "unknown", summary: "your groups: the tracker does not show them" };
  const names = groups.map((group) => (isObject(group) ? String(group["name"]) : ""));
  const missing = Object.keys(RIGHTS).filter((name) => !names.includes(name));
  if (missing.length === 0) return { state: "has", summary: `the rights ${Object.keys(RIGHTS).join(" and ")}` };
  return {
    state: "lacks",
    summary: `the right ${missing.join(" and ")}`,
    cost: missing.map((name) => RIGHTS[name]).join(", and "),
    hint: "an administrator can add you",
  };
}

async function inspectPrivateComments({
  send,
  isLoggedIn,
  context: { session },
}: Viewed): Promise<Finding | undefined> {
  if (!isLoggedIn || (await session.facts.dialect.name()) === "plain") return undefined; // a row finds out
  const summary = "private comments";
  const isAllowed = await isInsider(send);
  if (isAllowed === undefined) return { state: "unknown", summary: `${summary}: the tracker does not search for them` };
  if (isAllowed) return { state: "has", summary };
  return { state: "lacks", summary, cost: "you can neither read nor write them" };
}

async function inspectHours({ sample }: Viewed): Promise<Finding | undefined> {
  const bug = await sample();
  if (bug === undefined) return undefined;
  if (bug.estimated_time !== undefined) return { state: "has", summary: "hours" };
  return { state: "lacks", summary: "hours", cost: "estimates and hours worked are not shown to you" };
}

async function inspectFlagTypes({ send, sample }: Viewed): Promise<Finding | undefined> {
  const { product, component } = (await sample()) ?? {};
  if (!product || !component) return undefined;
  let finding: Finding | undefined;
  for (const operation of FLAG_TYPE_READS) {
    const request = requestFor(operation, { product, component });
    finding = await inspectResource(request, send, {
      summary: "flag types",
      cost: "flags are only checked by the tracker",
    });
    if (finding.state === "has") break;
  }
  return finding;
}

async function inspectAttachments({ send, sample }: Viewed): Promise<Finding | undefined> {
  const { id } = (await sample()) ?? {};
  if (!id) return undefined;
  const request = requestFor(GET_BUG_ATTACHMENTS, { ids: [id], include_fields: "id" });
  return inspectResource(request, send, {
    summary: "attachments",
    cost: "they cannot be listed, nor requests on them",
  });
}

async function inspectEmoji({ version: response, context: { session } }: Viewed): Promise<Finding | undefined> {
  if (session.facts.isInProcess) return undefined;
  if (!isObject(response) || !/^5\.0\b/.test(String(response["version"]))) return undefined;
  return {
    state: "lacks",
    summary: "emoji outside comments",
    cost: "summaries and other texts have ???? in their place",
  };
}

async function inspectLastVisits({ send, isLoggedIn, sample }: Viewed): Promise<Finding | undefined> {
  const { id } = (await sample()) ?? {};
  if (!id || !isLoggedIn) return undefined;
  const cost = "bt todo counts changes since the last bt bug get on this machine";
  return inspectResource(requestFor(GET_LAST_VISITS, { ids: [id] }), send, { summary: "your last visits", cost });
}

/** Finding about a resource that not all trackers have. */
async function inspectResource(
  request: Request,
  send: SendRequest,
  { summary, cost }: { summary: string; cost: string },
): Promise<Finding> {
  try {
    const response = await unlessMissing(send(request));
    return response === undefined ? { state: "lacks", summary, cost } : { state: "has", summary };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (error.kind === "auth") return { state: "has", summary };
    if (error.facts.bugzillaCode !== ERROR_CODES.internal) throw error;
    return { state: "lacks", summary: `${summary}, which fail on the tracker`, cost };
  }
}

async function inspectTimeZone({ context: { session } }: Viewed): Promise<Finding | undefined> {
  const { server_zone } = session.settings;
  if (server_zone !== undefined) return { state: "has", summary: `the time zone ${server_zone}, as configured` };
  return session.facts.isInProcess ? { state: "has", summary: "the time zone UTC" } : undefined;
}

/** Says what could not be checked, since only a bug shows it. */
async function inspectVisibleBugs({ sample }: Viewed): Promise<Finding | undefined> {
  if (await sample()) return undefined;
  return {
    state: "unknown",
    summary: "what bugs show, such as hours, flags and attachments: no bug is visible to you",
  };
}

async function inspectFolders({ context: { io } }: Viewed): Promise<Finding> {
  const paths = { config: folderFor("config", io), cache: folderFor("cache", io), state: folderFor("state", io) };
  const unusable = Object.entries(paths).filter(([, path]) => path === undefined || !isWritable(path));
  if (unusable.length === 0) {
    const places = `settings in ${paths.config}, cache in ${paths.cache}, journals in ${paths.state}`;
    return { state: "local", summary: places };
  }
  const parts = unusable.map(([name, path]) =>
    path === undefined ? `no folder for ${name}` : `cannot write to ${path}`,
  );
  const hasJournals = !unusable.some(([name]) => name === "state");
  const cost = hasJournals ? "settings and metadata are not kept" : "interrupted writes cannot be resumed";
  return { state: "attention", summary: parts.join(", "), cost, hint: "set HOME or the XDG_ variables" };
}

/** True if a folder, or the nearest one above it, can be written. */
function isWritable(path: string): boolean {
  if (!existsSync(path) && dirname(path) !== path) return isWritable(dirname(path));
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function inspectJobs({ context: { io, session } }: Viewed): Promise<Finding | undefined> {
  const count = listJobs(io).filter(({ job }) => job?.head.tracker === session.address && !job.head.draft).length;
  if (count === 0) return undefined;
  return { state: "attention", summary: `${countText(count, "job")} not finished`, hint: "bt job list" };
}

async function inspectProgram({ context: { io } }: Viewed): Promise<Finding> {
  return { state: "local", summary: `bt ${manifest.version} on Node.js ${io.node}` };
}
