/** Every route of the query service. */
import type { Route } from '../shared/http/route.ts';
import { customQueryRoute } from './custom/route.ts';
import { exportRoute } from './export/route.ts';
import type { QueryPorts } from './query-ports.ts';
import { compileRoute } from './routes/compile.ts';
import { queryRoute } from './routes/query.ts';
import { shareQueryRoute } from './routes/share-query.ts';
import { typesRoute } from './routes/types.ts';
import { websitesRoute } from './routes/websites.ts';

export const queryRoutes: readonly Route<QueryPorts>[] = [
  queryRoute,
  customQueryRoute,
  compileRoute,
  typesRoute,
  websitesRoute,
  exportRoute,
  shareQueryRoute,
];
