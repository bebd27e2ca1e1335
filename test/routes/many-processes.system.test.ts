/**
 * Many processes whose parts die and are replaced, once each: the short form of the soak. The time to recover is bounded
 * loosely here, for a machine that is slow and busy; the soak holds it to the 5 s that are promised.
 */
import { describeManyProcesses } from '../support/distributed/many-processes.ts';

describeManyProcesses({ rounds: 1, perSecond: 25, recoveredWithinMs: 15_000, oneOf: 'each kind' });
