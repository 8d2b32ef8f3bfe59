import type { Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { unlessNotOffered } from "../facts/optional.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { requestBody } from "../write/update-request.ts";

/**
 * A warning of a write with characters, such as emoji, that the tracker stores as question marks: the `utf8` of MySQL has three
 * bytes for a character. Comments are stored as they are.
 * @see Bugzilla/Comment.pm of Bugzilla 5.0
 */
export async function lostCharactersWarning(request: Request, send: SendRequest): Promise<string | undefined> {
  const { comment: _, data: __, description, ...values } = requestBody(request);
  const texts = request.method === "POST" ? values : { ...values, description: description ?? null };
  const [lost] = BEYOND_BMP.exec(JSON.stringify(texts)) ?? [];
  if (lost === undefined) return undefined;
  const response = await unlessNotOffered(send(requestFor(VERSION)));
  const isLossy = isObject(response) && /^5\.0\b/.test(String(response["version"]));
  return isLossy ? `this tracker stores characters such as ${lost} as ????` : undefined;
}

const BEYOND_BMP = /[\u{10000}-\u{10FFFF}]/u;
