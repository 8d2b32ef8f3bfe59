// The least that a client in JavaScript does for a read: requests the URLs of a file one after the other over one
// connection, parses each response and prints its objects, one a line.
import { readFileSync, writeSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { text } from "node:stream/consumers";

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
/** @type {readonly string[]} */
const urls = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
for (const url of urls) {
  const { bugs } = JSON.parse(await text(await get(url)));
  const lines = Object.values(bugs ?? {}).flatMap((bug) => bug.comments ?? bug.history ?? [bug]);
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}
agent.destroy();

/**
 * The response, over a new connection if the server closed the idle one meanwhile.
 * @returns {Promise<http.IncomingMessage>}
 */
function get(/** @type {string} */ url) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, resolve);
    request.on("error", (error) => (request.reusedSocket ? resolve(get(url)) : reject(error)));
  });
}
