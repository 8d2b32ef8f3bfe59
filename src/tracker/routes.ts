import { attachmentCreateRoutes } from "./attachments/create.ts";
import { attachmentRoutes } from "./attachments/get.ts";
import { attachmentUpdateRoutes } from "./attachments/update.ts";
import { getRoutes } from "./bugs/get.ts";
import { historyRoutes } from "./bugs/history.ts";
import { lastVisitRoutes } from "./bugs/last-visit.ts";
import type { Route } from "./call.ts";
import { updateRoutes } from "./changing/update.ts";
import { commentCreateRoutes } from "./comments/create.ts";
import { commentRoutes } from "./comments/get.ts";
import { tagSearchRoutes } from "./comments/tag-search.ts";
import { tagUpdateRoutes } from "./comments/tags.ts";
import { legalValueRoutes } from "./fields/legal-values.ts";
import { fieldRoutes } from "./fields/list.ts";
import { createRoutes } from "./filing/create.ts";
import { flagTypeRoutes } from "./flags/list.ts";
import { flagTypeUpdateRoutes } from "./flags/update.ts";
import { groupCreateRoutes } from "./groups/create.ts";
import { groupRoutes } from "./groups/get.ts";
import { groupUpdateRoutes } from "./groups/update.ts";
import { userCreateRoutes } from "./people/create.ts";
import { sessionRoutes } from "./people/session.ts";
import { userUpdateRoutes } from "./people/update.ts";
import { userRoutes } from "./people/users.ts";
import { classificationRoutes } from "./products/classification.ts";
import { productCreateRoutes } from "./products/create.ts";
import { productRoutes } from "./products/get.ts";
import { productUpdateRoutes } from "./products/update.ts";
import { searchRoutes } from "./search/route.ts";
import { aboutRoutes } from "./server/about.ts";
import { parameterRoutes } from "./server/parameters.ts";

/** Everything the tracker answers; the first row that fits a request answers it. */
export const ROUTES: readonly Route[] = [
  ...aboutRoutes,
  ...parameterRoutes,
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
  ...tagSearchRoutes,
  ...commentRoutes,
  ...commentCreateRoutes,
  ...tagUpdateRoutes,
  ...historyRoutes,
  ...attachmentRoutes,
  ...attachmentCreateRoutes,
  ...attachmentUpdateRoutes,
  ...lastVisitRoutes,
  ...getRoutes,
  ...searchRoutes,
  ...createRoutes,
  ...updateRoutes,
];
