import { attachmentCreateRoutes } from "../attachments/create.ts";
import { attachmentRoutes } from "../attachments/read.ts";
import { attachmentUpdateRoutes } from "../attachments/update.ts";
import { fieldRoutes, legalValueRoutes } from "../bug-fields/read.ts";
import { bugCreateRoutes } from "../bugs/create.ts";
import { bugHistoryRoutes } from "../bugs/history.ts";
import { lastVisitRoutes } from "../bugs/last-visit.ts";
import { bugGetRoutes } from "../bugs/read.ts";
import { bugUpdateRoutes } from "../bugs/update.ts";
import { commentCreateRoutes } from "../comments/comment.ts";
import { commentRoutes } from "../comments/read.ts";
import { commentTagSearchRoutes, commentTagUpdateRoutes } from "../comments/tags.ts";
import { flagTypeRoutes } from "../flags/types.ts";
import { flagTypeUpdateRoutes } from "../flags/update.ts";
import { groupCreateRoutes } from "../groups/create.ts";
import { groupRoutes } from "../groups/read.ts";
import { groupUpdateRoutes } from "../groups/update.ts";
import { productCreateRoutes } from "../products/create.ts";
import { classificationRoutes, productRoutes } from "../products/read.ts";
import { productUpdateRoutes } from "../products/update.ts";
import { searchRoutes } from "../search/search.ts";
import { sessionRoutes } from "../users/authenticate.ts";
import { userCreateRoutes } from "../users/create.ts";
import { userRoutes } from "../users/read.ts";
import { userUpdateRoutes } from "../users/update.ts";
import type { Route } from "./call.ts";
import { serverInfoRoutes, serverParameterRoutes } from "./server-info.ts";

/** All routes of the tracker; the first that matches a request handles it. */
export const ROUTES: readonly Route[] = [
  ...serverInfoRoutes,
  ...serverParameterRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...userCreateRoutes,
  ...userUpdateRoutes,
  ...groupRoutes,
  ...groupCreateRoutes,
  ...groupUpdateRoutes,
  ...productRoutes,
  ...productCreateRoutes,
  ...productUpdateRoutes,
  ...classificationRoutes,
  ...flagTypeRoutes,
  ...flagTypeUpdateRoutes,
  ...fieldRoutes,
  ...legalValueRoutes,
  ...commentTagSearchRoutes,
  ...commentRoutes,
  ...commentCreateRoutes,
  ...commentTagUpdateRoutes,
  ...bugHistoryRoutes,
  ...attachmentRoutes,
  ...attachmentCreateRoutes,
  ...attachmentUpdateRoutes,
  ...lastVisitRoutes,
  ...bugGetRoutes,
  ...searchRoutes,
  ...bugCreateRoutes,
  ...bugUpdateRoutes,
];

/** A matching route, and the decoded values of its placeholders. */
export type RouteMatch = { route: Route; path: Readonly<Record<string, string>> };

/** Lookup of routes by method and percent-encoded path. */
export type Router = {
  find: (method: string, path: string) => RouteMatch | undefined;
  methods: (path: string) => string[]; // methods allowed for a path
};

/** A router over the given routes; the first match wins. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));
  return {
    find: (method, path) => {
      for (const { route, pattern } of compiled) {
        const match = route.method === method ? pattern.exec(path) : null;
        if (match) return { route, path: decoded(match.groups ?? {}) };
      }
      return undefined;
    },
    methods: (path) => compiled.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method),
  };
}

function decoded(parts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, decodeURIComponent(part)]));
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
