/** `npm run test:distributed`: the API suites over separate processes, all or those that are named. */
import { missingMongodb } from '../mongodb/mongodb-server.ts';
import { missingRedis } from '../redis-server.ts';
import { distributedSuites, runDistributedSuites } from './run-suites.ts';

const missing = missingRedis() ?? missingMongodb();
if (missing !== null) {
  process.stderr.write(`${missing}\n`);
  process.exit(1);
}
const named = process.argv.slice(2);
const { code } = await runDistributedSuites(named.length > 0 ? named : distributedSuites(), 'spec');
process.exit(code ?? 1);
