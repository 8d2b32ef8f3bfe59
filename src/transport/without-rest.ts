import { BtError } from "../errors.ts";
import type { Exchange, Response } from "../wire/exchange.ts";

/**
 * Explains the first page that a server sends in place of a missing `/rest`: Bugzilla has that since 5.0, and older
 * versions are known by their JSON-RPC interface, or by their start page, which `visit` reads without credentials.
 */
export function refusingOldVersions(exchange: Exchange, visit: Exchange): Exchange {
  let isChecked = false;
  return async (request) => {
    const response = await exchange(request);
    if (isChecked || response.status !== 404 || !isPage(response)) return response;
    isChecked = true;
    const version = await findVersion(visit);
    if (version === undefined || Number.parseFloat(version) >= FIRST_WITH_REST) return response;
    throw new BtError("refused", `this Bugzilla has no REST interface (${version}; REST needs 5.0)`, {
      hint: "ask its administrator for an update",
      changed: "nothing",
    });
  };
}

const FIRST_WITH_REST = 5;

function isPage({ headers }: Response): boolean {
  return (headers["content-type"] ?? "").includes("html");
}

async function findVersion(visit: Exchange): Promise<string | undefined> {
  const call = await fetchBody("/jsonrpc.cgi", [["method", "Bugzilla.version"]], visit);
  const [, called] = /"version"\s*:\s*"(\d[\w.+-]*)"/.exec(call) ?? [];
  if (called !== undefined) return called;
  const page = await fetchBody("/index.cgi", [], visit);
  return /bugzilla/i.test(page) ? /\bversion\s+(\d[\w.+-]*)/i.exec(page)?.[1] : undefined;
}

/** Body of a successful response; empty for any other. */
async function fetchBody(path: string, query: [string, string][], visit: Exchange): Promise<string> {
  try {
    const { status, body } = await visit({ method: "GET", path, query });
    return status === 200 ? body : "";
  } catch (error) {
    if (error instanceof BtError) return "";
    throw error;
  }
}
