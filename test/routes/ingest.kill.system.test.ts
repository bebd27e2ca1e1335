/** Kills the server in full flight, three times: the short form of what the soak does thirty times. */
import { describeKills } from '../support/kills.ts';

describeKills({ kills: 3, senders: 64 });
