import { usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";

/**
 * Reads one flag as people write it: `review?`, `review+`, `review-`, `reviewX` (clears it), `needinfo?(ada@example.org)`;
 * `needinfoX(ada@example.org)` clears the one asked of her; `+review?` sets a further one beside those there; `#12+` means the set flag with the id 12, `type:4?` the type 4.
 */
export function flagChange(text: string): JsonObject {
  const parts = FLAG.exec(text.trim());
  if (!parts) {
    throw usage(
      `${JSON.stringify(text)} is not a flag`,
      "write review?, review+, review-, reviewX to clear it, or needinfo?(ada@example.org)",
    );
  }
  const [, further, name = "", status = "", requestee] = parts;
  if (requestee !== undefined && status !== "?" && status !== "X") {
    throw usage(`${text}: only a request (?) can ask somebody`, `${name}X(${requestee}) clears that request`);
  }
  return {
    ...subject(name),
    status,
    ...(requestee === undefined ? {} : { requestee }),
    ...(further ? { new: true } : {}),
  };
}

const FLAG = /^(\+)?(#[1-9]\d*|type:[1-9]\d*|[^\s,?+#()]+?)([?+X-])(?:\(([^()\s]+)\))?$/u;

function subject(name: string): JsonObject {
  if (name.startsWith("#")) return { id: Number(name.slice(1)) };
  if (name.startsWith("type:")) return { type_id: Number(name.slice("type:".length)) };
  return { name };
}
