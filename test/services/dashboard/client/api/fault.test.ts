/** The faults that answers of the API become in the pages. */
import { expect } from 'chai';
import {
  asMissing,
  faultOf,
  ORGANIZATION_HEADER,
} from '../../../../../services/dashboard/client/api/fault.ts';
import { ERRORS } from '../../../../../services/shared/errors/catalogue.ts';

const bodyOf = (code: string) => ({
  success: false,
  code,
  message: 'It failed.',
  requestId: 'req_1',
  details: [{ field: 'name', message: 'At least one character.' }],
});

describe('a fault', () => {
  it('tells another organization of the session from another version of what is changed', () => {
    const body = (field: string) => ({ code: 'PRECONDITION_FAILED', details: [{ field, message: 'No.' }] });
    expect(faultOf(412, new Headers(), body(ORGANIZATION_HEADER)).kind).to.equal('switched');
    expect(faultOf(412, new Headers(), body('If-Match')).kind).to.equal('changed');
  });

  it('has a kind for every error of the catalogue', () => {
    const kinds = Object.values(ERRORS).map(({ code, status }) => [
      status,
      faultOf(status, new Headers(), bodyOf(code)).kind,
    ]);
    expect(Object.fromEntries(kinds)).to.deep.equal({
      400: 'invalid',
      401: 'over',
      403: 'forbidden',
      404: 'missing',
      405: 'invalid',
      408: 'invalid',
      409: 'conflict',
      410: 'invalid',
      412: 'changed',
      413: 'invalid',
      414: 'invalid',
      415: 'invalid',
      429: 'limit',
      431: 'invalid',
      500: 'unavailable',
      502: 'unavailable',
      503: 'unavailable',
      504: 'unavailable',
    });
  });

  it('carries what the API said, and how long to wait', () => {
    const headers = new Headers({ 'retry-after': '7', 'x-ratelimit-limit': '50' });
    expect(faultOf(429, headers, bodyOf('RATE_LIMIT_EXCEEDED'))).to.deep.equal({
      kind: 'limit',
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'It failed.',
      details: [{ field: 'name', message: 'At least one character.' }],
      requestId: 'req_1',
      retryAfter: 7,
      limit: 50,
    });
  });

  it('is empty of texts when the body is no error of the API', () => {
    const odd = [
      undefined,
      null,
      'text',
      7,
      [],
      { code: 7, details: 'x' },
      { details: [null, { field: 1 }] },
    ];
    for (const body of odd) {
      const fault = faultOf(502, new Headers({ 'retry-after': 'Mon, 23 Nov 2026 00:00:00 GMT' }), body);
      expect(fault).to.include({
        kind: 'unavailable',
        code: '',
        message: '',
        requestId: '',
        retryAfter: null,
      });
      for (const { field, message } of fault.details) expect([field, message]).to.deep.equal(['', '']);
    }
  });

  it("of something that is not there, or is somebody else's, says so instead of blaming the role", () => {
    const refused = faultOf(403, new Headers(), { code: 'ACCESS_DENIED', message: 'No.' });
    expect(asMissing(refused)).to.deep.equal({ ...refused, kind: 'missing' });
    const unscoped = faultOf(403, new Headers(), { code: 'INSUFFICIENT_SCOPE' });
    expect(asMissing(unscoped)).to.equal(unscoped);
    expect(asMissing(undefined)).to.equal(undefined);
  });
});
