/** Property: several processes over one database hold exactly what a plain list of acknowledged events holds. */
import { expectModelled } from '../../../../support/mongodb/event-model.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';

/** Each shows what it does with its own seed; `npm run soak` takes many more. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe('processes that share the event store on MongoDB', () => {
  const server = useMongodb();

  for (const seed of SEEDS) {
    it(`hold what a plain list holds after each of ten random steps, seed ${seed}`, () =>
      expectModelled(server.newUri(), seed, 10)).timeout(240_000);
  }
});
