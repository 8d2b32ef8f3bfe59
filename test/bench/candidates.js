import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";

/**
 * One command to measure. `expect` is what it has to print; `goal` is in times of a Node that does nothing, `memoryGoal`
 * in MiB; the notes are the costs that are known and accepted.
 * @typedef {{
 *   name: string, argv: readonly string[], env: NodeJS.ProcessEnv, expect: RegExp,
 *   goal?: number, memoryGoal?: number, notes?: readonly string[],
 * }} Candidate
 */

const bt = path.join(import.meta.dirname, "../../bin/bt.cjs");

/** What is measured, the floor first; other clients only where they are installed. `scratch` takes every file made. */
export function candidates(/** @type {{ base: string, scratch: string }} */ { base, scratch }) {
  const env = environment(base, scratch);
  const plain = { ...env, BT_NO_CODE_CACHE: "1" };
  const ask = (/** @type {readonly string[]} */ words) => [process.execPath, bt, ...words];
  const search = ask(["bug", "search", "--limit", "20"]);
  /** @type {readonly Candidate[]} */
  const own = [
    { name: "node -e 0", argv: [process.execPath, "-e", "0"], env, expect: /^$/ },
    { name: "bt --version", argv: [process.execPath, bt, "--version"], env, expect: /^bt \d/, goal: 1.1 },
    { name: "bt --help", argv: [process.execPath, bt, "--help"], env, expect: /search/, goal: 1.4 },
    { name: "bt bug search --limit 20", argv: search, env, expect: BUGS, goal: 2.7, memoryGoal: 60 },
    {
      name: "  without the code cache",
      argv: search,
      env: plain,
      expect: BUGS,
      goal: 2.7,
      memoryGoal: 60,
      notes: COSTS,
    },
    {
      name: "  with a status, checked against kept metadata",
      argv: [...search, "--status", "CONFIRMED"],
      env,
      expect: BUGS,
    },
    { name: "bt bug get 1019", argv: ask(["bug", "get", "1019"]), env, expect: /1019/ },
  ];
  return [...own, ...others(base, env).filter(({ argv }) => isInstalled(argv[0] ?? "", env))];
}

const BUGS = /^(.*\b10\d\d\b.*\n){20}/;

const COSTS = [
  "undici is 7 ms dearer than node:http on Node 20, 3 ms on 22 and later: for one way to decode, limit and time answers",
];

/** @returns {readonly Candidate[]} */
function others(/** @type {string} */ base, /** @type {NodeJS.ProcessEnv} */ env) {
  const query = ["--bugzilla", `${base}/rest/`, "query", "-s", "CONFIRMED"];
  return [
    { name: "bugzilla query (python-bugzilla)", argv: ["bugzilla", ...query], env, expect: BUGS },
    { name: "bugzilla --version", argv: ["bugzilla", "--version"], env, expect: /\d/ },
    { name: "curl", argv: ["curl", "-s", `${base}/rest/bug?limit=20`], env, expect: /"bugs"/ },
  ];
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
