import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A port that swallows every attempt to connect, as an address behind a broken route does: its listener is stopped and what
 * waits for it is full, so that the system leaves further connections without any answer. Gone after the test.
 */
export async function deafPort(host: string): Promise<number> {
  const child = spawn(process.execPath, ["-e", LISTENER, host], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const port = Number(String(line));
  child.kill("SIGSTOP");
  const waiting = [...Array(WAITING).keys()].map(() => connect(port, host).on("error", () => undefined));
  onTestFinished(() => {
    child.kill("SIGKILL");
    for (const socket of waiting) socket.destroy();
  });
  await Promise.race(waiting.slice(0, 1).map((socket) => once(socket, "connect")));
  return port;
}

const LISTENER = `
  const server = require("node:net").createServer(() => undefined);
  server.listen({ port: 0, host: process.argv[1], backlog: 1, ipv6Only: true }, () => console.log(server.address().port));
`;
const WAITING = 4; // more than the two that a backlog of one takes
