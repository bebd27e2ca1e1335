/** Thirty kills under 64 senders: the long form of what the suite does with three. */
import { describeKills } from '../support/kills.ts';

describeKills({ kills: 30, senders: 64 });
