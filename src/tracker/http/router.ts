import type { Route } from "./call.ts";

/** A matching route, and the decoded values of its placeholders. */
export type RouteMatch = { route: Route; path: Readonly<Record<string, string>> };

/** Lookup of routes by method and percent-encoded path. */
export type Router = {
  find: (method: string, path: string) => RouteMatch | undefined;
  methods: (path: string) => string[]; // methods allowed for a path
};

/** A router over the given routes; the first match wins. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, pattern: routePattern(route.path) }));
  return {
    find: (method, path) => {
      for (const { route, pattern } of compiled) {
        const match = route.method === method ? pattern.exec(path) : null;
        if (match) return { route, path: decodedParts(match.groups ?? {}) };
      }
      return undefined;
    },
    methods: (path) => compiled.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method),
  };
}

function decodedParts(parts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, decodeURIComponent(part)]));
}

function routePattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
