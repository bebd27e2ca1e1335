/** Two hundred reloads of 5,000 routes under 64 clients; the suite makes four of 100 routes under six. */
import { reloadsOfManyRoutes } from '../support/reloads-of-many-routes.ts';

describe('a gateway of many routes under load', () =>
  reloadsOfManyRoutes({ routes: 5_000, reloads: 200, clients: 64, mostLeft: 100_000_000 }));
