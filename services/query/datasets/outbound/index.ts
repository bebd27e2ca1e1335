/** The datasets of outgoing links, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { outboundDomains } from './outbound-domains.ts';
import { outboundLinks } from './outbound-links.ts';

export const outboundDatasets: readonly Dataset[] = [outboundLinks, outboundDomains];
