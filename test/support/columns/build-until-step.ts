/** A process that changes segments until it has done so many steps, says so, and then only waits to be killed. */
import { eraseEvents } from '../../../services/shared/storage/mongodb/event-erasure.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { NO_LEASES, openBench } from './segment-workshop.ts';

/** The partition that it works on, and the events that it erases. */
export const KILLED_PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
export const KILLED_SELECTION = { ...KILLED_PARTITION, anonymousId: 'ann' };
/** Everything before an instant goes cold, by a plan of the beginning of time. */
export const KILLED_COLD = { before: 3_500, now: 2 * 86_400_000, leastEvents: 0.01 };
export const KILLED_SIZES = { sliceEvents: 10, spanEvents: 10, fanIn: 2 };

/** What it says when it has done the last of its steps. */
export const AT_STEP = 'done: ';

const [work, uri, directory, steps] = process.argv.slice(2);

if (process.argv[1] === import.meta.filename) {
  if (uri === undefined || directory === undefined) {
    throw new Error('usage: build-until-step build|erase|cool URI DIRECTORY STEPS');
  }
  const connection = await openConnection(uri, { appName: 'tidegate-test-killed' });
  let done = 0;
  const { builder } = await openBench(connection, directory, {
    ...KILLED_SIZES,
    leases: NO_LEASES,
    told: async (step) => {
      if (++done < Number(steps)) return;
      process.stdout.write(`${AT_STEP}${step}\n`);
      await new Promise<never>(() => setInterval(() => undefined, 60_000));
    },
  });
  if (work === 'erase') {
    await eraseEvents(connection.getClient().db(connection.name), KILLED_SELECTION);
    await builder.eraseFromSegments(KILLED_SELECTION);
  } else if (work === 'cool') await builder.coolPartition(KILLED_PARTITION, KILLED_COLD);
  else await builder.buildPartition(KILLED_PARTITION);
  process.exit(0);
}
