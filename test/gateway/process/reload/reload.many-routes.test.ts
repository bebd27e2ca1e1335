/** Reloads of many routes under load; `npm run soak` makes more of them. */
import { reloadsOfManyRoutes } from '../../../support/reloads-of-many-routes.ts';

describe('a gateway of many routes', () =>
  reloadsOfManyRoutes({ routes: 100, reloads: 4, clients: 6, mostLeft: null }));
