/** Ways to send an API key or login token, by stored name, with their help text. A server accepts one of them. */
export const AUTH_STYLES = {
  header: "X-BUGZILLA-API-KEY; Bugzilla 5.1, 5.3 and later, Mozilla",
  bearer: "Authorization: Bearer; Red Hat",
  query: "in the query of reads and the body of writes; Bugzilla 5.0 and 5.2",
  token: "a login token, in the same places",
} as const;

/** Way to send an API key or login token. */
export type AuthStyle = keyof typeof AUTH_STYLES;

/** The styles to try a key in: that of a known server, else all, those that leave no key in its logs first. */
export function keyStyles(baseUrl: string): readonly AuthStyle[] {
  return new URL(baseUrl).hostname === "bugzilla.redhat.com" ? ["bearer"] : ["header", "bearer", "query"];
}
