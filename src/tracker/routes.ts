import { getRoutes } from "./bugs/get.ts";
import { historyRoutes } from "./bugs/history.ts";
import type { Route } from "./call.ts";
import { legalValueRoutes } from "./fields/legal-values.ts";
import { fieldRoutes } from "./fields/list.ts";
import { aboutRoutes } from "./server/about.ts";

/** Everything the tracker answers; the first row that fits a request answers it. */
export const ROUTES: readonly Route[] = [
  ...aboutRoutes,
  ...fieldRoutes,
  ...legalValueRoutes,
  ...historyRoutes,
  ...getRoutes,
];
