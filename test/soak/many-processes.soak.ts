/** Many processes whose parts die and are replaced, several times over, each process alone: the long form of what the suite does once. */
import { describeManyProcesses } from '../support/distributed/many-processes.ts';

describeManyProcesses({ rounds: 4, perSecond: 40, recoveredWithinMs: 5_000, oneOf: 'all' });
