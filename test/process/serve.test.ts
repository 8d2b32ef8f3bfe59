import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { real, surroundings } from "./real.ts";

/** Response of a served demo to a search with an unknown parameter. */
async function answer(...flags: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [LAUNCHER, "serve", "--demo", "--port", "0", ...flags], {
    env: surroundings(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill());
  const url = await new Promise<string>((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim())),
  );
  const reply = await fetch(`${url}/rest/bug?prodct=Lantern&include_fields=id`);
  await reply.text();
  return reply.status;
}

test("bt serve rejects a search with unknown parameters; with --compat it ignores them", async () => {
  expect(await answer()).toBe(400);
  expect(await answer("--compat")).toBe(200);
});

test.each([
  [
    "--demo --listen 192.0.2.1",
    "192.0.2.1 is not an address of this machine\nhint: --listen 0.0.0.0 listens on all addresses",
  ],
  [
    "--data /",
    "cannot open the tracker's data at /\n    is a directory\nhint: use another file: --data /path/to/file.db",
  ],
])("an error of bt serve has the flag that fixes it: %s", async (flags, told) => {
  const { code, out, err } = await real(["serve", "--port", "0", ...flags.split(" ")]);
  expect({ code, out, err }).toEqual({ code: 12, out: "", err: `bt: ${told}\n` });
});
