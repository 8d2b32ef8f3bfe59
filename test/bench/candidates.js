import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/**
 * One command to measure. `expect` is what it has to print; `goal` is in times of a Node that does nothing, `memoryGoal`
 * in MiB.
 * @typedef {{
 *   name: string, argv: readonly string[], env: NodeJS.ProcessEnv, expect: RegExp,
 *   goal?: number | undefined, memoryGoal?: number | undefined,
 * }} Candidate
 */

/** Commands that are measured, the floor first; other clients only where they are installed. `scratch` takes every file made. */
export function candidates(/** @type {{ base: string, scratch: string }} */ { base, scratch }) {
  const env = environment(base, scratch);
  const bt = (/** @type {readonly string[]} */ ...words) => [process.execPath, LAUNCHER, ...words];
  const search = {
    argv: bt("bug", "search", "--quicksearch", "ALL", "--limit", "20"),
    env,
    expect: BUGS,
    memoryGoal: 60,
  };
  const get = { argv: bt("bug", "get", "1019"), env, expect: /1019/, memoryGoal: 60 };
  const own = [
    { name: "node -e 0", argv: [process.execPath, "-e", "0"], env, expect: /^$/ },
    { name: "bt --version", argv: bt("--version"), env, expect: /^bt \d/, goal: 1.3 },
    { name: "bt --help", argv: bt("--help"), env, expect: /\bbug\b/, goal: 1.6 },
    { ...search, name: "bt bug search --quicksearch ALL --limit 20" },
    { ...search, name: "  without the code cache", env: { ...env, BT_NO_CODE_CACHE: "1" } },
    {
      ...search,
      name: "  with a status, checked against metadata",
      argv: [...search.argv, "--status", "CONFIRMED"],
      goal: 3.5,
    },
    { ...get, name: "bt bug get 1019" },
    {
      name: "bt --base-url demo: bug search --quicksearch ALL --limit 20",
      argv: [...search.argv, "--base-url", "demo:"],
      env,
      expect: /./,
    },
  ];
  return [...own, ...others(base, env).filter(({ argv }) => isInstalled(argv[0] ?? "", env))];
}

const LAUNCHER = path.join(import.meta.dirname, "../../bin/bt.cjs");

const BUGS = /^(.*\b10\d\d\b.*\n){20}/;

/** @returns {readonly Candidate[]} */
function others(/** @type {string} */ base, /** @type {NodeJS.ProcessEnv} */ env) {
  const query = ["--bugzilla", `${base}/rest/`, "query", "-s", "CONFIRMED"];
  return [
    { name: "bugzilla query (python-bugzilla)", argv: ["bugzilla", ...query], env, expect: BUGS },
    { name: "bugzilla --version", argv: ["bugzilla", "--version"], env, expect: /\d/ },
    { name: "curl", argv: ["curl", "-s", `${base}/rest/bug?limit=20`], env, expect: /"bugs"/ },
  ];
}

/** The beginning of a command of python-bugzilla, which finds the key in a file; undefined where it is not installed. */
export function pythonBugzilla(/** @type {string} */ base, /** @type {NodeJS.ProcessEnv} */ env) {
  if (!isInstalled("bugzilla", env)) return undefined;
  const folder = path.join(env["HOME"] ?? "", ".config", "python-bugzilla");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "bugzillarc"), `[${new URL(base).host}]\napi_key=${env["BT_API_KEY"]}\n`);
  return ["bugzilla", "--bugzilla", `${base}/rest/`];
}

function isInstalled(/** @type {string} */ command, /** @type {NodeJS.ProcessEnv} */ env) {
  return spawnSync(command, ["--version"], { env, stdio: "ignore" }).error === undefined;
}

/** The caller's own variables, but for those that change what a start of Node costs and where files are kept. */
function environment(/** @type {string} */ base, /** @type {string} */ scratch) {
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, BT_NO_CODE_CACHE: _cache, ...rest } = process.env;
  return {
    ...rest,
    BT_BASE_URL: base,
    HOME: scratch,
    XDG_CACHE_HOME: scratch,
    XDG_CONFIG_HOME: scratch,
    XDG_DATA_HOME: scratch,
  };
}
