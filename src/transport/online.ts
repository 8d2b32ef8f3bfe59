import { authenticated, type Credential, sheltered } from "./authenticate.ts";
import { LIMITS } from "./limits.ts";
import { type Network, type NetworkOptions, network } from "./network.ts";
import { redirected } from "./redirect.ts";
import { retry } from "./retry.ts";
import { type Trace, traced } from "./trace.ts";

/** Everything that decides how a tracker on the network is spoken to. */
export type OnlineOptions = NetworkOptions & {
  readonly credential?: Credential | undefined; // none: anonymous
  readonly allowHttp?: boolean | undefined;
  readonly retries?: number | undefined; // 3 unless told otherwise
  readonly trace?: Trace | undefined;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>; // ends early when `signal` is aborted
};

/** A tracker on the network: the bare network, wrapped in tracing, credentials, redirects and retries, in this order. */
export function online(options: OnlineOptions): Pick<Network, "exchange" | "close"> {
  const { exchange, close, way } = network(options);
  const seen = options.trace ? traced(exchange, options.trace) : exchange;
  const safe = sheltered(seen, way, options.allowHttp);
  const known = options.credential ? authenticated(safe, options.credential, options.baseUrl) : safe;
  const patient = retry(redirected(known, options.baseUrl), {
    retries: options.retries ?? 3,
    limits: { ...LIMITS, ...options.limits },
    random: options.random,
    now: () => performance.now(),
    sleep: options.sleep,
    isStopped: () => options.signal?.aborted === true,
    note: options.trace?.write,
  });
  return { exchange: patient, close };
}
