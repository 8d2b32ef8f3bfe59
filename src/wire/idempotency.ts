/** The header of a write that names it, so that a tracker which knows the name applies it once, however often it comes. */
export const IDEMPOTENCY_KEY = "idempotency-key";

/** The header by which such a tracker says so in every answer; it takes update tokens in `If-Match` too. */
export const KEYED = "idempotency-key-accepted";
