import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real, surroundings } from "../process/real.ts";

/** Starts `bt serve` in a process of its own; what it says of requests is gathered in `log`. */
async function served(argv: readonly string[]) {
  const child = execa(process.execPath, [LAUNCHER, "serve", "--port", "0", "--log", ...argv], {
    env: surroundings(),
    extendEnv: false,
    reject: false,
    buffer: false,
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await child;
  });
  const said = { log: "" };
  child.stderr?.on("data", (chunk) => {
    said.log += chunk;
  });
  const first = await new Promise<string>((resolve) => child.stdout?.once("data", (chunk) => resolve(String(chunk))));
  return { url: first.trim(), said };
}

test("bt serve and bt as two processes work like one", async () => {
  const { url } = await served(["--demo"]);
  for (const line of [
    "bug search --status CONFIRMED --fields id,status,summary --json",
    "bug get 12 --fields id,summary,flags --json",
    "field values component --product Lantern",
    "bug get 99999 --format ids",
  ]) {
    const by = (address: string) => real(line.split(" "), { env: { BT_BASE_URL: address } });
    expect(await by(url)).toEqual(await by("demo:"));
  }
});

test("an unknown status is rejected without a search", async () => {
  const { url, said } = await served(["--demo"]);
  const run = await real(["bug", "search", "--status", "NOSUCH"], { env: { BT_BASE_URL: url } });
  expect(run).toMatchObject({ code: 2, out: "" });
  expect(said.log).toContain("GET /rest/field/bug 200");
  expect(said.log).not.toContain("GET /rest/bug");
});

test("a local tracker keeps its bugs, and its key is shown once", async () => {
  const file = `${freshFolder()}/team.db`;
  const first = await served(["--data", file]);
  await expect.poll(() => first.said.log).toContain("stop it with Ctrl-C");
  const key = /API key of \S+: (\S+) /.exec(first.said.log)?.[1] ?? "";
  const env = { BT_BASE_URL: first.url, BT_API_KEY: key };
  const place = "-p Project -c General --version unspecified --op-sys All --platform All";
  const filed = await real(`bug create ${place} -t Kept? -d Yes`.split(" "), { env });
  expect(filed).toMatchObject({ code: 0, out: "1\n" });
  const second = await served(["--data", file]);
  expect(second.said.log).not.toContain("API key");
  const found = await real(["bug", "get", "1", "--fields", "summary"], { env: { ...env, BT_BASE_URL: second.url } });
  expect(found).toEqual({ code: 0, out: "Kept?\n", err: "" });
  expect(await real(["bug", "get", "1"], { env: { BT_BASE_URL: second.url } })).toMatchObject({ code: 4, out: "" });
  expect(second.said.log).not.toContain(key);
});
