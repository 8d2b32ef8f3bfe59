import { Fault } from "../fault.ts";

const KINDS = ["application", "audio", "image", "message", "model", "multipart", "text", "video"];

/** Refuses a content type that is none. */
export function checkContentType(type: string): void {
  const [kind = "", rest = ""] = type.split("/", 2);
  if (!KINDS.includes(kind) || !/^[\w.+-]+$/.test(rest)) {
    throw new Fault(
      400,
      601,
      `The content type ${type === "" ? "" : `${type} `}is invalid. Valid types must be of the form foo/bar where foo is one of ${KINDS.join(", ")} and bar must not contain any special characters (such as "=", "?", ...).`,
    );
  }
}
