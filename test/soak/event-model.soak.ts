/** Processes that share the event store on MongoDB beside a plain list, over many more random steps than every test run has time for. */
import { expectModelled } from '../support/mongodb/event-model.ts';
import { useMongodb } from '../support/mongodb/use-mongodb.ts';

const RUNS = 200;
const STEPS = 12;

describe('processes that share the event store on MongoDB, at length', () => {
  const server = useMongodb();

  it(`hold what a plain list holds, over ${RUNS} runs of ${STEPS} random steps`, async () => {
    for (let run = 0; run < RUNS; run++) await expectModelled(server.newUri(), 1_000 + run, STEPS);
  }).timeout(4 * 3_600_000);
});
