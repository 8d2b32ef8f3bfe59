import type { Request } from "../../wire/exchange.ts";
import * as attachments from "./attachments.ts";
import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "./bugs.ts";
import * as comments from "./comments.ts";
import type { Operation } from "./operation.ts";
import * as tracker from "./tracker.ts";
import { CREATE_BUG, UPDATE_BUG } from "./write-bugs.ts";

/** All operations. */
export function allOperations(): Operation[] {
  const bugs = [BUG_HISTORY, GET_BUG, SEARCH_BUGS, CREATE_BUG, UPDATE_BUG];
  return [...[tracker, comments, attachments].flatMap((group): Operation[] => Object.values(group)), ...bugs];
}

/** The request with its operation, found by its path if the user wrote it. */
export function withOperation(request: Request): Request {
  if (request.operation !== undefined) return request;
  const known = allOperations().find(
    (operation) => operation.method === request.method && pathPattern(operation).test(request.path),
  );
  return known === undefined ? request : { operation: known.name, ...request };
}

/** Path parameters of a request by name; empty without an operation. */
export function pathValues(request: Request): Readonly<Record<string, string>> {
  const known = allOperations().find(({ name }) => name === request.operation);
  const groups = known && pathPattern(known).exec(request.path)?.groups;
  return Object.fromEntries(Object.entries(groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}

/** Pattern of an operation's path, with its parameters as named groups. */
function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
