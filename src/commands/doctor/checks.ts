import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { readJob } from "../../api/delivery/journal.ts";
import { GET_BUG_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FLAG_TYPES, GET_LAST_VISITS, GET_USERS, TIME, VERSION, WHO_AM_I } from "../../api/operations/tracker.ts";
import { INTERNAL_ERROR_CODE } from "../../api/response/response-errors.ts";
import { isObject, listUnder } from "../../api/response/response-objects.ts";
import { folderFor } from "../../config/files.ts";
import { openJobs } from "../../config/jobs.ts";
import { BtError } from "../../errors.ts";
import { readRepositoryFile } from "../../session/repository/repository-file.ts";
import type { Finding } from "../../view/doctor.ts";
import { AUTH_STYLES } from "../../wire/auth-style.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { pageMemory } from "../bug/search-plan.ts";
import type { Patient } from "./examine.ts";

/** The checks, in the order of the report. */
export const CHECKS: Readonly<Record<string, (patient: Patient) => Promise<Finding>>> = {
  bt: async ({ context: { io } }) => ok(`${manifest.version} on Node.js ${io.node}`),
  tracker,
  login,
  rights,
  clock,
  endpoints,
  page_limit: pageLimit,
  time_zone: timeZone,
  folders,
  jobs,
};

function ok(summary: string, hint?: string): Finding {
  return { state: "ok", summary, hint };
}

function unknown(summary: string, hint?: string): Finding {
  return { state: "unknown", summary, hint };
}

function attention(summary: string, hint?: string): Finding {
  return { state: "attention", summary, hint };
}

async function tracker({ ask, context }: Patient): Promise<Finding> {
  const { address } = context.session;
  return orElse(
    async () => {
      const answer = await ask(requestFor(VERSION));
      return ok(`${address}, version ${isObject(answer) ? String(answer["version"]) : "unknown"}`);
    },
    (error) =>
      attention(`${address}: ${error.message}`, error.facts.hint ?? "check the address: bt config get base_url"),
  );
}

async function login({ login: { user, isProven, key, error }, context }: Patient): Promise<Finding> {
  if (context.session.access === undefined) return ok(`${user ?? "anonymous"}; this tracker needs no login`);
  if (key === undefined) return ok("anonymous", "bt auth login to log in");
  const sent = `the API key from ${key.source}, sent ${AUTH_STYLES[key.style]}`;
  if (isProven) return ok(`${user ?? "logged in"} by ${sent}`);
  if (error && error.kind !== "auth") return unknown(`could not check ${sent}: ${error.message}`);
  return attention(`the tracker ${error ? "rejects" : "ignores"} ${sent}`, "log in again: bt auth login");
}

/** Groups that decide what an account may change on any bug. */
const RIGHTS = ["editbugs", "canconfirm"];

async function rights({ ask, login: { user, isProven } }: Patient): Promise<Finding> {
  if (user === undefined && isProven)
    return unknown("the tracker does not report your login", "bt auth login --login LOGIN");
  if (user === undefined) return unknown("none known without a login");
  return orElse(async () => {
    const answer = await ask(requestFor(GET_USERS, { names: user, include_fields: "name,groups" }));
    const [account] = listUnder(answer, "users").filter(isObject);
    const groups = account?.["groups"];
    if (!Array.isArray(groups)) return unknown("the tracker does not show your groups");
    const names = groups.map((group) => (isObject(group) ? String(group["name"]) : ""));
    const missing = RIGHTS.filter((name) => !names.includes(name));
    const has = RIGHTS.filter((name) => names.includes(name)).join(", ") || "neither editbugs nor canconfirm";
    if (missing.length === 0) return ok(has);
    return ok(has, `an administrator may add you to ${missing.join(" and ")}`);
  });
}

async function endpoints({ ask, sample, login: { isProven } }: Patient): Promise<Finding> {
  return orElse(async () => {
    const states: { readonly name: string; readonly state: EndpointState }[] = [];
    for (const [name, request] of Object.entries(endpointsOf(await sample(), isProven))) {
      states.push({ name, state: await stateOf(request, ask) });
    }
    if (states.every(({ state }) => state === "not checked")) return unknown("none could be checked");
    const parts = states.map(({ name, state }) => (state === "ok" ? name : `${name} ${state}`));
    const isMissing = states.some(({ state }) => state === "missing" || state === "failing");
    return ok(parts.join(", "), isMissing ? "bt works without them, with less detail" : undefined);
  });
}

type EndpointState = "ok" | "missing" | "failing" | "not checked";

/** Requests to endpoints that not all trackers have, by name; undefined where one cannot be made. */
function endpointsOf(bug: Bug | undefined, isProven: boolean): Readonly<Record<string, Request | undefined>> {
  const whoami = requestFor(WHO_AM_I);
  const { id, product, component } = bug ?? {};
  if (!id || !product || !component) return { whoami };
  return {
    whoami,
    attachments: requestFor(GET_BUG_ATTACHMENTS, { ids: [id], include_fields: "id" }),
    flag_type: requestFor(GET_FLAG_TYPES, { product, component }),
    last_visit: isProven ? requestFor(GET_LAST_VISITS, { ids: [id] }) : undefined,
  };
}

async function stateOf(request: Request | undefined, ask: Patient["ask"]): Promise<EndpointState> {
  if (request === undefined) return "not checked";
  try {
    await ask(request);
    return "ok";
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (error.kind === "auth") return "ok";
    if (error.facts.bugzillaCode === INTERNAL_ERROR_CODE) return "failing";
    return ["missing", "reply"].includes(error.kind) ? "missing" : "not checked";
  }
}

async function pageLimit({ context: { session, io } }: Patient): Promise<Finding> {
  const longest = await pageMemory(session.memory, io.now()).longest();
  if (longest > 0) return ok(`at most ${longest} bugs per response so far; bt reads the next pages`);
  return unknown("not known before the first long search; bt reads all pages");
}

const MAX_SKEW_S = 60;

async function clock({ ask, context: { io } }: Patient): Promise<Finding> {
  return orElse(async () => {
    const answer = await ask(requestFor(TIME));
    const there = Date.parse(isObject(answer) ? String(answer["db_time"]) : "");
    if (!Number.isFinite(there)) return unknown("the tracker does not report its time");
    const seconds = Math.round((io.now().getTime() - there) / 1000);
    const summary = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} the tracker`;
    return Math.abs(seconds) <= MAX_SKEW_S ? ok(summary) : attention(summary, "set the clock of this machine");
  });
}

async function timeZone({ context: { session } }: Patient): Promise<Finding> {
  const { server_zone } = session.settings;
  if (server_zone !== undefined) return ok(`the tracker uses ${server_zone}, as configured`);
  if (session.access === undefined) return ok("the tracker uses UTC");
  const kept = await session.memory.read("zone");
  const possible = Array.isArray(kept?.["possible"]) ? kept["possible"].map(String) : [];
  if (kept?.["finding"] === "utc") return ok("the tracker uses UTC");
  if (possible.length === 1 && possible[0] !== "UTC")
    return attention(`the tracker uses ${possible[0]}`, `bt config set server_zone ${possible[0]}`);
  return unknown("assumed to be UTC until a time depends on it", "to set it: bt config set server_zone ZONE");
}

async function folders({ context: { io, session } }: Patient): Promise<Finding> {
  const paths = { config: folderFor("config", io), cache: folderFor("cache", io), state: folderFor("state", io) };
  const bad = Object.entries(paths).filter(([, path]) => path === undefined || !isWritable(path));
  if (bad.length === 0) {
    const usual = `settings in ${paths.config}, cache in ${paths.cache}, journals in ${paths.state}`;
    return orElse(
      async () => {
        const repository = await readRepositoryFile(io, session.settings);
        return ok(repository ? `${usual}, defaults of new bugs in ${repository.path}` : usual);
      },
      (error) => attention(error.message, error.facts.hint),
    );
  }
  return attention(
    badFoldersText(bad),
    "without them, interrupted writes cannot be resumed; set HOME or the XDG_ variables",
  );
}

function badFoldersText(bad: readonly (readonly [name: string, path: string | undefined])[]): string {
  const readOnly = bad.flatMap(([, path]) => path ?? []).join(", ");
  const missing = bad.flatMap(([name, path]) => (path === undefined ? name : [])).join(", ");
  return [readOnly && `cannot write to ${readOnly}`, missing && `no folder for ${missing}`].filter(Boolean).join("; ");
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

async function jobs({ context: { io } }: Patient): Promise<Finding> {
  const count = openJobs(io).filter(({ lines }) => readJob(lines)?.head.draft !== true).length;
  return count === 0 ? ok("none open") : attention(`${count} open`, "bt job list shows them, bt job send resumes one");
}

/** A check whose requests may fail: without them it is unknown. */
async function orElse(
  check: () => Promise<Finding>,
  otherwise = (error: BtError): Finding => unknown(error.message),
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof BtError) return otherwise(error);
    throw error;
  }
}
