import { connect, type Socket } from "node:net";
import { ask } from "./ask.ts";

/** Times (ms) until a server let go of clients that do nothing, or too slowly, and for which another client waited. */
export type SlowClients = {
  readonly idleMs: number; // until the last of the silent ones was closed
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly longestAnswerMs: number; // of a normal client meanwhile
};

const HEAD =
  "POST /rest/bug/1/comment HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n";

/** Opens 500 silent connections, and 20 each that send their headers or their body a byte at a time, until `end`. */
export function openSlowClients(url: string) {
  const { host, port } = new URL(url);
  const open = (count: number) => Array.from({ length: count }, () => connect(Number(port), "127.0.0.1"));
  const [idle, headers, bodies] = [open(500), open(20), open(20)];
  for (const socket of headers) socket.write(HEAD.replace("HOST", host));
  for (const socket of bodies) socket.write(`${HEAD.replace("HOST", host)}\r\n{"comment":"`);
  const dripping = setInterval(() => {
    for (const socket of [...headers, ...bodies]) if (socket.writable) socket.write("x");
  }, 20);
  const all = [...idle, ...headers, ...bodies];
  for (const socket of all) socket.on("error", () => undefined);
  const end = () => {
    clearInterval(dripping);
    for (const socket of all) socket.destroy();
  };
  return { idle, headers, bodies, all, end };
}

/** Opens slow clients, and waits until the server has closed all of them. */
export async function slowClients(url: string): Promise<SlowClients> {
  const started = performance.now();
  const { idle, headers, bodies, end } = openSlowClients(url);
  const state = { isOver: false };
  const longest = longestAnswer(url, state);
  const [idleMs, headersMs, bodyMs] = await Promise.all(
    [idle, headers, bodies].map(async (sockets) => {
      await Promise.all(sockets.map(closed));
      return performance.now() - started;
    }),
  );
  end();
  state.isOver = true;
  return { idleMs: idleMs ?? 0, headersMs: headersMs ?? 0, bodyMs: bodyMs ?? 0, longestAnswerMs: await longest };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on("close", () => resolve());
    socket.resume();
  });
}

async function longestAnswer(url: string, state: { readonly isOver: boolean }): Promise<number> {
  let longest = 0;
  while (!state.isOver) {
    const started = performance.now();
    const { status } = await ask(`${url}/rest/version`);
    longest = Math.max(longest, status === 200 ? performance.now() - started : Number.POSITIVE_INFINITY);
  }
  return longest;
}
