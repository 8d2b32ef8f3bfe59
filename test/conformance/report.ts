import type { Outcome } from "./replay.ts";

/** The requests, and where the answers differ, for the exchanges that came out otherwise. */
export function details(outcomes: readonly Outcome[], pattern: string, most: number): readonly string[] {
  return outcomes
    .filter(({ name, differences, accepted }) => !accepted && differences.length > 0 && new RegExp(pattern).test(name))
    .slice(0, most)
    .map(detail);
}

/** The exchanges that come out otherwise without a reason. */
export function unexplained(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes
    .filter(({ accepted, differences }) => !accepted && differences.length > 0)
    .map(({ area, name }) => `${area}/${name}`);
}

function detail({ area, name, exchanged, differences }: Outcome): string {
  const { as, request } = exchanged;
  const { api_key: _key, ...query } = request.query;
  const body = request.body === null ? "" : `\n    ${JSON.stringify(request.body).slice(0, 300)}`;
  const lines = differences.slice(0, 12).map((line) => `    ${line}`);
  return `${area}/${name} (${as})\n    ${request.method} ${request.path} ${JSON.stringify(query)}${body}\n${lines.join("\n")}`;
}
