/** Credentials that a policy of a third party does not see come back unchanged, whatever it did meanwhile. */
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { hideCredentials } from '../../../plugins/kit/hidden-credentials.ts';

describe('credentials hidden from a policy', () => {
  it('come back as they were, and those that it set are told', () => {
    const rawHeaders = ['Host', 'x', 'Cookie', 'a=1', 'X-API-Key', 'k', 'cookie', 'b=2', 'X-Own', 'y'];
    const headers: Record<string, string> = { host: 'x', cookie: 'a=1; b=2', 'x-api-key': 'k', 'x-own': 'y' };
    const req = { headers, rawHeaders } as unknown as IncomingMessage;
    const show = hideCredentials(req, ['cookie', 'own=1']);
    expect(headers).to.deep.equal({ host: 'x', 'x-own': 'y', cookie: 'own=1' });
    expect(rawHeaders).to.deep.equal(['Host', 'x', 'X-Own', 'y']);
    delete headers.cookie;
    headers.authorization = 'Basic b3du';
    rawHeaders.push('Authorization', 'Basic b3du', 'X-Added', 'z');
    expect(show()).to.deep.equal(['authorization', 'Basic b3du']);
    expect(headers).to.deep.equal({ host: 'x', 'x-own': 'y', cookie: 'a=1; b=2', 'x-api-key': 'k' });
    const left = ['Host', 'x', 'X-Own', 'y', 'X-Added', 'z'];
    expect(rawHeaders).to.deep.equal([...left, 'Cookie', 'a=1', 'X-API-Key', 'k', 'cookie', 'b=2']);
  });
});
