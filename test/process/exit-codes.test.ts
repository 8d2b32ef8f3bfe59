import { describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../src/errors.ts";
import { demoServer, type Instead } from "../servers/demo-server.ts";
import { errorResponse } from "../servers/responses.ts";
import { real } from "./real.ts";

type Case = {
  readonly line: string;
  readonly instead?: Instead;
  readonly env?: Readonly<Record<string, string>>;
  readonly address?: string;
};

const html: Instead = ({ path }) =>
  path === "/rest/bug/1" ? { status: 200, headers: { "content-type": "text/html" }, body: "<html>Hello" } : undefined;

function says(code: number, status: number): Instead {
  return ({ path }) => (path === "/rest/bug/1" ? errorResponse(code, "As you are told.", status) : undefined);
}

/** One way to each exit code that a single command line can have. */
const CASES: Readonly<Record<string, Case>> = {
  ok: { line: "bug get 1" },
  no: { line: "bug search --summary nothing-like-this --fail-empty" },
  usage: { line: "bug search --status NOSUCH" },
  refused: { line: "bug get 1", instead: says(32000, 400) },
  auth: { line: "bug get 1", instead: says(102, 401) },
  missing: { line: "bug get 99999" },
  network: { line: "bug get 1", address: "http://127.0.0.1:9", env: { BT_RETRY: "0" } },
  reply: { line: "bug get 1", instead: html },
  busy: { line: "bug get 1", instead: () => ({ status: 503, headers: {}, body: "" }), env: { BT_RETRY: "0" } },
  partial: { line: "bug get 1 99999" },
  local: { line: "comment add 1 -F /nonexistent/file" },
  guard: { line: "bug get 1", address: "http://192.0.2.1", env: { BT_API_KEY: "k".repeat(40) } },
};

describe("exit codes of a command", () => {
  test.each(Object.entries(CASES))("for the kind %s", async (kind, { line, instead, env, address }) => {
    const { url } = await demoServer(instead);
    const run = await real(line.split(" "), { env: { BT_BASE_URL: address ?? url, ...env } });
    expect(run.code).toBe(EXIT_CODES[kind as keyof typeof EXIT_CODES].code);
    expect(run.err === "").toBe(kind === "ok");
    expect(run.err).not.toMatch(/^\s+at /m);
  });
});
