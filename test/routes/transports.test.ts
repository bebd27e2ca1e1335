/** Whether the gateway calls its services or asks them by HTTP, clients get the same: a thousand random requests. */
import { describeTransports } from '../support/transports-equality.ts';

describeTransports(1_000);
