import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/**
 * Serves a server of tools that talks over stdio as one that talks over HTTP: a process of it for each session.
 * @param {import("@modelcontextprotocol/sdk/client/stdio.js").StdioServerParameters} command
 */
export async function bridgeTo(command) {
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map();
  const server = http.createServer(async (request, response) => {
    const id = String(request.headers["mcp-session-id"] ?? "");
    await (sessions.get(id) ?? (await begin())).handleRequest(request, response);
  });

  async function begin() {
    const client = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, client),
    });
    const tools = new StdioClientTransport(command);
    client.onmessage = (message) => void tools.send(message);
    tools.onmessage = (message) => void client.send(message);
    client.onclose = () => void tools.close();
    await Promise.all([client.start(), tools.start()]);
    return client;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = async () => {
    await Promise.all([...sessions.values()].map((session) => session.close()));
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}
