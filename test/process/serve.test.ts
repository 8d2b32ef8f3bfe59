import { existsSync, readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { ownKey, serveProcess } from "../servers/serve-process.ts";
import { smtpServer } from "../servers/smtp-server.ts";
import { real, surroundings } from "./real.ts";

test("bt serve --demo serves a new demo, whatever was done on the one of this machine", async () => {
  const env = surroundings();
  await real("--base-url demo: bug update 44 --priority High".split(" "), { env });
  const { url, kill } = await serveProcess(["--demo"], env);
  onTestFinished(() => void kill("SIGTERM"));
  const reply = await fetch(`${url}/rest/bug/44?include_fields=priority`);
  expect(await reply.json()).toMatchObject({ bugs: [{ priority: "Normal" }] });
});

test.each([
  [
    "--demo --listen 192.0.2.1",
    "cannot listen: listen EADDRNOTAVAIL: address not available 192.0.2.1\nhint: use another --port (0: any free one) or --listen",
  ],
  [
    "--data /",
    "cannot open the tracker's data at /\n    illegal operation on a directory\nhint: use another file: --base-url local:/path/to/file.db, or --data of bt serve and bt admin",
  ],
])("an error of bt serve has the flag that fixes it: %s", async (flags, told) => {
  const { code, out, err } = await real(["serve", "--port", "0", ...flags.split(" ")]);
  expect({ code, out, err }).toEqual({ code: 12, out: "", err: `bt: ${told}\n` });
});

test.each([
  ["--port 99999", "invalid port 99999\nhint: use 1 to 65535, or 0 for a free one"],
  [
    "--mail smtp:localhost",
    "invalid address of a mail server: smtp:localhost\nhint: for example: --mail smtp://localhost:25",
  ],
  [
    "--mail smtp://ada:secret@localhost:25",
    "refusing to read a password from the command line, where other users can see it\nhint: use a mail server that accepts mail from this machine without one",
  ],
])("bt serve %s is refused before anything is created", async (flags, why) => {
  const data = `${freshFolder()}/team.db`;
  const ran = await real(["serve", "--port", "0", "--data", data, ...flags.split(" ")]);
  expect(ran).toMatchObject({ code: 2, out: "", err: `bt: ${why}\n` });
  expect(existsSync(data)).toBe(false);
});

/** Has the owner of a tracker file a bug, who gets a mail about it. */
async function fileBug(url: string, key: string): Promise<void> {
  const bug = { product: "Project", component: "General", version: "unspecified", summary: "It stops" };
  const reply = await fetch(`${url}/rest/bug`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-bugzilla-api-key": key },
    body: JSON.stringify({ ...bug, op_sys: "All", platform: "All" }),
  });
  expect(reply.status).toBe(200);
}

test("bt serve --mail writes mail to a folder; what no process has sent, the next one sends to its server", async () => {
  const folder = freshFolder();
  const data = `${folder}/team.db`;
  const silent = await serveProcess(["--data", data]);
  await fileBug(silent.url, ownKey(data));
  await silent.kill("SIGKILL");
  const { url, received } = await smtpServer();
  const sending = await serveProcess(["--data", data, "--mail", url]);
  await fileBug(sending.url, ownKey(data));
  expect(await sending.kill("SIGTERM")).toBe(143);
  expect(received.map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1])).toEqual([
    "[Bug 1] New: It stops",
    "[Bug 2] New: It stops",
  ]);
  const writing = await serveProcess(["--data", data, "--mail", `${folder}/mails`]);
  await fileBug(writing.url, ownKey(data));
  await writing.kill("SIGTERM");
  expect(readdirSync(`${folder}/mails`)).toEqual(["3-bug-3.eml"]);
});

test("a port that is in use is a local error", async () => {
  const taken = createServer();
  onTestFinished(() => void taken.close());
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  const folder = freshFolder();
  const { code, err } = await real(["serve", "--data", `${folder}/team.db`, "--port", String(port)]);
  expect({ code, err }).toMatchObject({ code: 12, err: expect.stringContaining(`port ${port} is in use`) });
});
