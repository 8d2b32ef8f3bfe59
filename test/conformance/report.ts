import type { Source } from "./accepted.ts";
import type { Outcome } from "./replay.ts";

/** One line about an area: how many of its exchanges came out equal. */
export function summary(title: string, outcomes: readonly Outcome[]): string {
  return `${title.padEnd(13)} ${equal(outcomes)} of ${outcomes.length} recorded exchanges answered equally`;
}

/** Number of exchanges that came out equal. */
export function equal(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ differences }) => differences.length === 0).length;
}

/** The requests, and where the answers differ, for the exchanges that came out otherwise. */
export function details(outcomes: readonly Outcome[], pattern: string, most: number): readonly string[] {
  return outcomes
    .filter(({ name, differences, accepted }) => !accepted && differences.length > 0 && new RegExp(pattern).test(name))
    .slice(0, most)
    .map(detail);
}

/** The exchanges that come out otherwise on purpose, by the reason. */
export function reasons(outcomes: readonly Outcome[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { area, name, accepted, differences } of outcomes) {
    if (accepted && differences.length > 0) {
      names.set(accepted.because, [...(names.get(accepted.because) ?? []), `  ${area}/${name}`]);
    }
  }
  return [...names].flatMap(([reason, list]) => [`answered otherwise: ${reason}`, ...list]);
}

/** Number of exchanges that come out otherwise on purpose, by what makes the difference. */
export function sources(outcomes: readonly Outcome[]): string {
  const others = outcomes.filter(({ differences }) => differences.length > 0);
  const count = (source: Source) => others.filter(({ accepted }) => accepted?.source === source).length;
  const words = `${count("specification")} as the specification wants it, ${count("fault")} where the recorded server fails`;
  return `otherwise     ${words}, ${count("chance")} that it answers by chance, ${count("imitation")} that are not imitated`;
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
