// The protocol's own inspector calls every tool of `bt mcp`, and its conformance suite runs the scenarios that need no
// tools made for it. Both are fetched, with a Node that they start on:
// npx --yes -p node@22 -p @modelcontextprotocol/inspector@2.12.0 -p @modelcontextprotocol/conformance@0.1.16 node test/clients/mcp.js
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { launcher, scratchEnv } from "../bench/served.js";
import { bridgeTo } from "./mcp-bridge.js";

const scratch = mkdtempSync(path.join(tmpdir(), "bt-mcp-"));
const env = { ...scratchEnv(scratch), BT_BASE_URL: "demo:" };
const server = [process.execPath, launcher, "mcp", "--allow-writes"];

const BUG = { product: "Lantern", component: "Editor", version: "3.2", summary: "Crop forgets the ratio" };

/** A call of each tool, and what its structured content has. @type {readonly [tool: string, given: object, has: string][]} */
const CALLS = [
  ["search", { where: ["is:open"], fields: ["id"], limit: 1 }, '"bugs":[{"id":50}]'],
  ["get", { bugs: ["12.1"] }, '"text":"The compressor is closed too early."'],
  ["values", { field: "priority" }, '"name":"Highest"'],
  ["similar", { summary: "Import stops at 3 %" }, '"id":29'],
  ["todo", {}, '"asked_of_me":[{"id":42'],
  ["create", BUG, '"id":51'],
  ["update", { bugs: ["44"], priority: "High", dry_run: true }, '"dry_run":true'],
  ["update", { bugs: ["44"], priority: "High" }, "Normal → High"],
  ["comment", { bug: "44", comment: "Seen." }, '"id":'],
  ["undo", { bugs: ["44"] }, "High → Normal"],
];

const SCENARIOS = ["server-initialize", "ping", "tools-list"];

try {
  const { tools } = await inspected(["--method", "tools/list", "--strict"]);
  const names = tools.map((/** @type {{ name: string }} */ { name }) => name);
  const called = new Set(CALLS.map(([name]) => name));
  if (String(names) !== String([...called])) throw new Error(`tools: ${names}, but called are ${[...called]}`);
  console.log(`ok  inspector: ${names.length} tools are listed, with portable schemas`);
  for (const [name, given, has] of CALLS) {
    const call = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)];
    const { structuredContent } = await inspected(call);
    const content = JSON.stringify(structuredContent);
    if (!content.includes(has)) throw new Error(`${name} ${JSON.stringify(given)}: ${content}`);
    console.log(`ok  inspector: ${name} ${JSON.stringify(given)}`);
  }
  const [command = "", ...args] = server;
  const bridge = await bridgeTo({ command, args, env: /** @type {Record<string, string>} */ (env) });
  for (const scenario of SCENARIOS) {
    await ran("conformance", ["server", "--url", bridge.url, "--scenario", scenario]);
    console.log(`ok  conformance: ${scenario}`);
  }
  await bridge.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** What the inspector received for a request, on a server of its own. */
async function inspected(/** @type {readonly string[]} */ request) {
  const surroundings = Object.entries(env).flatMap(([name, value]) => (value ? ["-e", `${name}=${value}`] : []));
  return JSON.parse(await ran("mcp-inspector", ["--cli", ...surroundings, ...request, "--", ...server]));
}

/** What a command printed. @throws if it fails */
async function ran(/** @type {string} */ command, /** @type {readonly string[]} */ args) {
  const child = spawn(command, args, { env, cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${out}${err}`);
  return out;
}
