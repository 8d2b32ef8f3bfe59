import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** Treatment of one request by a faulty server: it may write anything to the socket, and end or reset it. */
export type Act = (socket: Socket, request: Heard, count: number) => void;

/** One request as the server heard it. */
export type Heard = { readonly head: string; readonly body: string; readonly connection: number };

/** A server on raw sockets that misbehaves as told, and remembers what it heard. */
export type FaultServer = {
  readonly port: number;
  readonly url: string;
  readonly heard: readonly Heard[];
  readonly connections: () => number;
  readonly stopListening: () => void; // connections that are there go on
  readonly close: () => Promise<void>;
};

/** Starts a server that answers each whole request by `act`; `onConnect` may spoil the connection before any request. */
export async function faultServer(act: Act, more: Options = {}): Promise<FaultServer> {
  const heard: Heard[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const welcome = (socket: Socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    more.onConnect?.(socket);
    hear(socket, ({ head, body }) => {
      heard.push({ head, body, connection });
      act(socket, { head, body, connection }, heard.length);
    });
  };
  const server: Server = more.tls ? createTlsServer(more.tls, welcome) : createServer(welcome);
  server.on("tlsClientError", () => undefined);
  const host = more.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(more.port ?? 0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    port,
    url: `${more.tls ? "https" : "http"}://${shown}:${port}`,
    heard,
    connections: () => connections,
    stopListening: () => void server.close(),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Options = {
  readonly onConnect?: (socket: Socket) => void;
  readonly tls?: TlsOptions;
  readonly host?: string;
  readonly port?: number; // any free one unless told
};

/** A whole HTTP answer as text, its length counted. */
export function answer(body: string, { status = "200 OK", headers = {} }: AnswerOptions = {}): string {
  const lines = Object.entries({
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`;
}

type AnswerOptions = { readonly status?: string; readonly headers?: Readonly<Record<string, string>> };

/** Calls back for every request that has come completely. */
function hear(socket: Socket, whole: (request: { head: string; body: string }) => void): void {
  let buffer = "";
  socket.on("data", (chunk) => {
    buffer += chunk.toString("latin1");
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = buffer.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (buffer.length < end + 4 + length) return;
      const body = Buffer.from(buffer.slice(end + 4, end + 4 + length), "latin1").toString();
      buffer = buffer.slice(end + 4 + length);
      whole({ head, body });
    }
  });
}
