import { BtError, CHECK_ADDRESS } from "../errors.ts";
import { type Exchange, isRead, type Request, type Response } from "../wire/exchange.ts";
import { requestText, requestWithin, urlPath } from "./address.ts";
import { CREDENTIAL_PARAMETERS } from "./authenticate.ts";
import type { TimedRequest } from "./network.ts";

/**
 * Follows redirects of reads within the same tracker. Wraps the Exchange above the credentials, which are added to each
 * hop. `ticks` is a monotonic clock (ms).
 * @throws BtError of kind guard for any other redirect, so that neither keys nor writes go elsewhere
 */
export function followingRedirects(exchange: Exchange, base: string, ticks: () => number): Exchange {
  const baseUrl = new URL(base);
  return async (request: TimedRequest) => {
    const started = ticks();
    let current: TimedRequest = request;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await exchange(current);
      if (!REDIRECTS.includes(response.status)) return response;
      const target = redirectTarget(baseUrl, current, response);
      const left = request.timeoutMs && { timeoutMs: Math.max(1, request.timeoutMs - (ticks() - started)) };
      current = { ...request, ...target, ...left };
    }
    throw new BtError("reply", `redirect loop at ${baseUrl.host}`, {
      asked: requestText(baseUrl, request),
      changed: "nothing",
      hint: CHECK_ADDRESS,
    });
  };
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAY_HAVE_ACTED = [302, 303]; // usual responses to an accepted form

function redirectTarget(baseUrl: URL, request: Request, response: Response): Pick<Request, "path" | "query"> {
  const here = new URL(urlPath(baseUrl, request), baseUrl).href;
  const location = response.headers["location"] ?? "";
  const target = location !== "" && URL.canParse(location, here) ? new URL(location, here) : undefined;
  const within = target && isRead(request) ? requestWithin(baseUrl, target) : undefined;
  if (within === undefined) throw redirectRefusal(baseUrl, request, { response, target });
  return { ...within, query: within.query.filter(([name]) => !CREDENTIAL_PARAMETERS.includes(name)) };
}

function redirectRefusal(baseUrl: URL, request: Request, to: { response: Response; target: URL | undefined }): BtError {
  const written = !isRead(request);
  const place = to.target ? targetText(to.target) : "nowhere";
  return new BtError(
    "guard",
    `${baseUrl.host} redirects ${written ? "the write " : ""}to ${place}; the redirect was not followed`,
    {
      asked: requestText(baseUrl, request),
      changed: written && MAY_HAVE_ACTED.includes(to.response.status) ? "unknown" : "nothing",
      hint: "if this is the tracker's new address: bt config set base_url NEW-ADDRESS",
      httpStatus: to.response.status,
    },
  );
}

/** URL without its query, which may contain a key. */
function targetText(target: URL): string {
  return target.host === "" ? `a ${target.protocol} address` : `${target.protocol}//${target.host}${target.pathname}`;
}
