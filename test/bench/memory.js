// A tracker whose answers come from memory: forwards each request once, and then repeats what was answered. Its argument
// is the address of the tracker. Tells its parent its port, and the requests since the last question for them.
import http from "node:http";
import process from "node:process";
import { buffer } from "node:stream/consumers";

const [target = ""] = process.argv.slice(2);

/** @typedef {{ status: number, type: string, body: Buffer }} Answer */
/** @type {Map<string, Promise<Answer>>} */
const known = new Map();
/** @type {string[]} */
let urls = [];

/** @returns {Promise<Answer>} */
async function forwarded(/** @type {http.IncomingMessage} */ { method = "GET", url = "", headers }) {
  const { host: _host, connection: _connection, "accept-encoding": _encoding, ...rest } = headers;
  const request = http.request(`${target}${url}`, { method, headers: /** @type {{}} */ (rest) });
  /** @type {Promise<http.IncomingMessage>} */
  const answered = new Promise((resolve, reject) => request.on("response", resolve).on("error", reject));
  request.end();
  const response = await answered;
  const type = response.headers["content-type"] ?? "";
  return { status: response.statusCode ?? 500, type, body: await buffer(response) };
}

const server = http.createServer(async (request, response) => {
  const { url = "" } = request;
  urls.push(url);
  const answer = known.get(url) ?? forwarded(request);
  known.set(url, answer);
  const { status, type, body } = await answer;
  response.writeHead(status, { "content-type": type, "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("message", () => {
  process.send?.(urls);
  urls = [];
});
process.on("disconnect", () => process.exit());
