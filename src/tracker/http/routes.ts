import { attachmentCreateRoutes } from "../attachments/create.ts";
import { attachmentRoutes } from "../attachments/read.ts";
import { attachmentUpdateRoutes } from "../attachments/update.ts";
import { legalValueRoutes } from "../bug-fields/legal-values.ts";
import { fieldRoutes } from "../bug-fields/read.ts";
import { bugCreateRoutes } from "../bugs/create.ts";
import { bugHistoryRoutes } from "../bugs/history.ts";
import { lastVisitRoutes } from "../bugs/last-visit.ts";
import { bugGetRoutes } from "../bugs/read.ts";
import { bugUpdateRoutes } from "../bugs/update.ts";
import { commentCreateRoutes } from "../comments/create.ts";
import { commentRoutes } from "../comments/read.ts";
import { commentTagSearchRoutes, commentTagUpdateRoutes } from "../comments/tags.ts";
import { flagTypeRoutes } from "../flags/types.ts";
import { flagTypeUpdateRoutes } from "../flags/update.ts";
import { groupCreateRoutes } from "../groups/create.ts";
import { groupRoutes } from "../groups/read.ts";
import { groupUpdateRoutes } from "../groups/update.ts";
import { classificationRoutes } from "../products/classifications.ts";
import { productCreateRoutes } from "../products/create.ts";
import { productRoutes } from "../products/read.ts";
import { productUpdateRoutes } from "../products/update.ts";
import { searchRoutes } from "../search/search.ts";
import { userCreateRoutes } from "../users/create.ts";
import { userRoutes } from "../users/read.ts";
import { sessionRoutes } from "../users/session.ts";
import { userUpdateRoutes } from "../users/update.ts";
import type { Route } from "./call.ts";
import { serverInfoRoutes, serverParameterRoutes } from "./server-info.ts";

/** Everything the tracker answers; the first row that fits a request answers it. */
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

/** A route that fits a path, and what stands in the path for its braces. */
export type RouteMatch = { readonly route: Route; readonly path: Readonly<Record<string, string>> };

/** Finds routes by method and path; patterns are read once. */
export type Router = {
  readonly find: (method: string, path: string) => RouteMatch | undefined;
  readonly methods: (path: string) => readonly string[]; // what may be done to a path
};

/** A router over the table of routes; the first row that fits wins. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));
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

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
