import { ifOffered } from "../../api/facts.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { GET_USERS, VERSION } from "../../api/operations/tracker.ts";
import { readResponse } from "../../api/response/response.ts";
import { readUserAccounts } from "../../api/response/response-objects.ts";
import { BtError, LOG_IN } from "../../errors.ts";
import { openJobs } from "../../jobs/job-files.ts";
import { LOGIN_HINT, type Session } from "../../session/session.ts";
import { type CardRow, cardBody } from "../../view/card.ts";
import { countText, plain } from "../../view/text.ts";
import { wrap } from "../../view/wrap.ts";
import type { AuthStyle } from "../../wire/exchange.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, isJson, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import { checkIsTracker } from "./login.ts";

/**
 * `bt auth status`: who you are on the tracker, and what you cannot do there.
 * @throws BtError of kind auth unless logged in
 */
export async function showAuthStatus(_: SharedInput, context: Context): Promise<void> {
  const { address, exchange } = context.session;
  const status = await readAuthStatus(context.session);
  const isLoggedOut = status.state === "anonymous" || status.state === "refused";
  if (isLoggedOut)
    await checkIsTracker(address, async (request) => readResponse(await exchange(request, "nobody"), request));
  await showStatus(status, context);
  if (status.state === "unknown") throw unprovenError(status.user);
  if (isLoggedOut) throw new BtError("auth", "not logged in", { hint: LOG_IN });
}

function unprovenError(user: string | undefined): BtError {
  const check = user === undefined ? "bt config set login LOGIN lets bt use it" : `is ${user} the key's login?`;
  return new BtError("auth", "cannot tell whether you are logged in", { hint: check });
}

async function showStatus(status: AuthStatus, context: Context): Promise<void> {
  const { io, output } = context;
  if (output.isChosen) return showStatusRow(status, context);
  const lines = wrap(plain(io.hide(statusSentence(status))), output.view.width);
  const card = factsCard(await readFacts(status, context), context);
  await io.out(`${lines.join("\n")}\n${card && `\n${card}`}`);
}

/** Prints the status as a row; facts are read only if a column shows them. */
async function showStatusRow(status: AuthStatus, context: Context): Promise<void> {
  const names = isJson(context) || context.output.fields ? [...COLUMNS, ...FACTS] : COLUMNS;
  const columns = chosenColumns(wireColumns<AuthStatus & TrackerFacts>(names), context);
  const needsFacts = columns.some(({ name }) => FACTS.some((fact) => fact === name));
  const facts = needsFacts ? await readFacts(status, context) : {};
  await showList(context, { columns, pages: [[{ ...status, ...facts }]] });
}

const COLUMNS = ["base_url", "state", "user", "source", "style"] as const;
const FACTS = ["version", "rights", "lacks", "jobs"] as const;

/** Card of facts; keys are hidden here, before a line is broken. */
function factsCard({ version, rights, lacks = [], jobs = 0 }: TrackerFacts, context: Context): string {
  const { hide } = context.io;
  const rows: CardRow[] = [
    ["Version", hide(version ?? "")],
    ["Rights", rights?.join(", ") ?? ""],
    ["Lacks", lacks.map((text) => ({ text }))],
    ["Jobs", jobs > 0 ? `${countText(jobs, "job")} not finished: bt job list` : ""],
  ];
  return cardBody(rows, context.output.view);
}

/** Authenticated user and origin of the key; never the key. */
type AuthStatus = {
  base_url: string;
  state: "logged in" | "anonymous" | "refused" | "unknown";
  user?: string | undefined;
  isFromSettings?: boolean | undefined; // the user; the tracker did not confirm it
  source?: string | undefined;
  style?: AuthStyle | undefined;
  reason?: string | undefined; // the tracker's message when it rejected the key
};

/** Reads from the tracker whose key it is. */
async function readAuthStatus({ address: base_url, account }: Session): Promise<AuthStatus> {
  const { state, source, style, login: user, isFromSettings, error } = await account("anew");
  if (state === "refused") return { base_url, state, source, reason: error?.message };
  if (state === "logged in" || state === "unknown") return { base_url, state, source, style, user, isFromSettings };
  return { base_url, state: "anonymous", source, style };
}

function statusSentence({ base_url, state, user, isFromSettings, source, reason }: AuthStatus): string {
  if (state === "refused") return `${base_url} rejected the API key from ${source}: ${reason}`;
  if (state === "anonymous")
    return source
      ? `${base_url} ignored the API key from ${source}: you are anonymous`
      : `not logged in to ${base_url}: you are anonymous`;
  const who = `${user ? ` as ${user}` : ""}${isFromSettings ? " (as set, not checked)" : ""}`;
  if (state === "logged in") return `logged in to ${base_url}${who}${source ? ` (key from ${source})` : ""}`;
  return `${base_url} does not report whether it accepted the API key from ${source}${who && `; used${who}`}`;
}

/** The tracker as the account sees it. */
type TrackerFacts = {
  version?: string;
  rights?: readonly string[];
  lacks?: readonly string[];
  jobs?: number; // unfinished ones on this tracker
};

/** Reads the version and what the user may not do; {} with a key that the tracker rejects. */
async function readFacts({ state, user, source }: AuthStatus, context: Context): Promise<TrackerFacts> {
  if (state === "refused" || (state === "anonymous" && source !== undefined)) return {};
  const { io, session } = context;
  const response = await ifOffered(session.send(requestFor(VERSION)));
  const version = String(Object(response)["version"] ?? "unknown");
  const groups = state === "logged in" && user ? await readGroups(user, session.send) : undefined;
  const missing = groups ? RIGHTS.filter(([name]) => !groups.includes(name)) : [];
  const lacks = missing.map(([name, consequence]) => `the right ${name}: ${consequence}`);
  if (state === "logged in" && user === undefined) lacks.push(`your login: @me is unknown; ${LOGIN_HINT}`);
  if (state !== "anonymous" && (await session.dialect()).name === "plain") lacks.push(PLAIN);
  const rights = groups && RIGHTS.map(([name]) => name).filter((name) => groups.includes(name));
  const jobs = openJobs(io).filter(({ job }) => job?.head.tracker === session.address && !job.head.draft).length;
  return { version, ...(rights && { rights }), lacks, jobs };
}

/** Groups that decide what an account may do with any bug, and what it may do without them. */
const RIGHTS = [
  ["editbugs", "you can only change bugs that you reported or are responsible for"],
  ["canconfirm", "your new bugs are unconfirmed"],
] as const;

const PLAIN =
  "the conditions and orders of Bugzilla's search page: bt reads all bugs that meet the rest of a search, and cannot search changes, comments and full text";

/** The groups of a user; undefined if the tracker does not show them. */
async function readGroups(user: string, send: SendRequest): Promise<string[] | undefined> {
  const response = await ifOffered(send(requestFor(GET_USERS, { names: user, include_fields: "name,groups" })));
  return response === undefined ? undefined : readUserAccounts(response)[0]?.groups?.map(({ name }) => name);
}
