/** Whose address counts: the peer's, or the rightmost one that is no trusted proxy. */
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { createClientAddress } from '../../../gateway/serve/client-address.ts';

/** What the gateway takes for the client of a request from `peer` that says `forwarded`. */
function addressOf(
  trusted: readonly string[],
  peer: string,
  forwarded?: string,
): { address: string; warnings: number } {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const clientAddress = createClientAddress(trusted, logger);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
  clientAddress(request);
  return { address: clientAddress(request), warnings: lines.length };
}

describe('the client address', () => {
  const cases: [string, string[], string, string | undefined, string, number][] = [
    ['is the peer without a forwarding header', ['10.0.0.0/8'], '10.1.1.1', undefined, '10.1.1.1', 0],
    [
      'is the peer when it is not trusted, warned about once',
      [],
      '203.0.113.1',
      '192.0.2.1',
      '203.0.113.1',
      1,
    ],
    ['is the one that a trusted proxy names', ['10.0.0.0/8'], '10.1.1.1', '192.0.2.1', '192.0.2.1', 0],
    [
      'is the rightmost untrusted one',
      ['10.0.0.0/8'],
      '10.1.1.1',
      '1.1.1.1, 192.0.2.1, 10.2.2.2',
      '192.0.2.1',
      0,
    ],
    ['loses a port', ['10.0.0.0/8'], '10.1.1.1', '192.0.2.1:4711', '192.0.2.1', 0],
    ['loses brackets and a port', ['10.0.0.0/8'], '10.1.1.1', '[2001:db8::1]:4711', '2001:db8::1', 0],
    ['is the proxy when it names no address', ['10.0.0.0/8'], '10.1.1.1', 'garbage <script>', '10.1.1.1', 0],
  ];
  for (const [name, trusted, peer, forwarded, address, warnings] of cases) {
    it(name, () => {
      expect(addressOf(trusted, peer, forwarded)).to.deep.equal({ address, warnings });
    });
  }
});
