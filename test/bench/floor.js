// The least that a client in JavaScript does for a read: requests the URLs of a file one after the other over one
// connection, parses each response and prints its objects, one a line; with the name of another file, stores them in it as
// a mirror does, as JSON and with an index of the words of their texts.
import { readFileSync, writeSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { text } from "node:stream/consumers";

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const [list = "", file] = process.argv.slice(2);
/** @type {readonly string[]} */
const urls = JSON.parse(readFileSync(list, "utf8"));
const { use, end } = file === undefined ? { use: print, end: () => {} } : await storeIn(file);
for (const url of urls) {
  const { bugs } = JSON.parse(await text(await get(url)));
  use(Object.values(bugs ?? {}).flatMap((bug) => bug.comments ?? bug.history ?? [bug]));
}
agent.destroy();
end();

/** @typedef {{ text?: string, summary?: string }} Received */

function print(/** @type {readonly Received[]} */ objects) {
  const bytes = Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(""));
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

async function storeIn(/** @type {string} */ file) {
  const { default: Database } = await import("libsql");
  const database = new Database(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE received (json TEXT)");
  database.exec("CREATE VIRTUAL TABLE words USING fts5 (text, content = '')");
  const keep = database.prepare("INSERT INTO received (json) VALUES (?)");
  const index = database.prepare("INSERT INTO words (text) VALUES (?)");
  const use = (/** @type {readonly Received[]} */ objects) => {
    database.exec("BEGIN");
    for (const object of objects) keep.run(JSON.stringify(object));
    for (const { text: comment, summary } of objects) {
      const searched = comment ?? summary;
      if (searched !== undefined) index.run(searched);
    }
    database.exec("COMMIT");
  };
  return { use, end: () => database.close() };
}

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
