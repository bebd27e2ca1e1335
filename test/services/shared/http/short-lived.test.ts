/** What a request holds is gone with it: nothing of it waits in the old space for the next full collection. */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect } from 'chai';
import type { ProcessRequest } from '../../../../services/shared/http/service-exchange.ts';
import { IDENTITY_HEADER } from '../../../../services/shared/identity/identity-token.ts';
import { memoryInUse } from '../../../support/memory-in-use.ts';
import { createTransportService, TOKEN } from '../../../support/transport-service.ts';

const REQUESTS = 5_000;
/** Of 8 bytes each: what a request holds in this test. */
const HELD_NUMBERS = 2_000;
/** Bytes of a request that may outlive it; 16,000 would be all. */
const MOST_LEFT = 1_000;

const NEVER = new AbortController().signal;

function oldBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return space?.space_used_size ?? 0;
}

function request(number: number): ProcessRequest & { readonly held: readonly number[] } {
  return {
    method: 'GET',
    target: '/named/one',
    headers: { [IDENTITY_HEADER]: TOKEN },
    body: null,
    parsed: null,
    signal: NEVER,
    beginsWork: () => undefined,
    held: new Array<number>(HELD_NUMBERS).fill(number),
  };
}

describe('requests that are answered', () => {
  it('leave the memory as young as they came', async () => {
    const { app } = createTransportService();
    for (let number = 0; number < 1_000; number++) await app.answerInProcess(request(number));
    memoryInUse();
    const before = oldBytes();
    for (let number = 0; number < REQUESTS; number++) await app.answerInProcess(request(number));
    expect((oldBytes() - before) / REQUESTS).to.be.below(MOST_LEFT);
  });
});
