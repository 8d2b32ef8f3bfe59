import type { Route } from "../call.ts";

/** A route that fits a path, and what stands in the path for its braces. */
export type Match = { readonly route: Route; readonly path: Readonly<Record<string, string>> };

/** Finds routes by method and path; patterns are read once. */
export type Router = {
  readonly find: (method: string, path: string) => Match | undefined;
  readonly methods: (path: string) => readonly string[]; // what may be done to a path
};

/** A router over the table of routes; the first row that fits wins. */
export function makeRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, pattern: pattern(route.path) }));
  return {
    find: (method, path) => {
      for (const { route, pattern: wanted } of compiled) {
        const match = route.method === method ? wanted.exec(path) : null;
        if (match) return { route, path: { ...match.groups } };
      }
      return undefined;
    },
    methods: (path) => compiled.filter(({ pattern: wanted }) => wanted.test(path)).map(({ route }) => route.method),
  };
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
