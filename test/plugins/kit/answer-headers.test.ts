/** How the headers of an answer are completed: one Vary of all that was found out, and nothing over what the answer says itself. */
import { expect } from 'chai';
import { completeHeaders, VARIES } from '../../../plugins/kit/answer-headers.ts';
import type { RequestContext } from '../../../plugins/kit/request-context.ts';

/** The completed headers by name in lower case; a name that stands twice is an error. */
function completed(
  headers: readonly string[],
  {
    access = 'public',
    varies = 0,
    isPrivate = false,
    hsts = null,
  }: { access?: string; varies?: number; isPrivate?: boolean; hsts?: string | null } = {},
): Record<string, string> {
  const all = [...headers];
  const context = { endpoint: { access }, varies, isPrivate, gateway: { hsts } };
  completeHeaders(all, context as unknown as RequestContext);
  const found: Record<string, string> = {};
  for (let index = 0; index < all.length; index += 2) {
    const name = (all[index] as string).toLowerCase();
    expect(found, name).to.not.have.property(name);
    found[name] = all[index + 1] as string;
  }
  return found;
}

describe('the headers of every answer', () => {
  it('leave a public answer without a type as it is', () => {
    expect(completed(['ETag', '"1"'])).to.deep.equal({ etag: '"1"' });
  });

  it('say once that the host is asked by https alone', () => {
    const name = 'strict-transport-security';
    expect(completed([], { hsts: 'max-age=60' })).to.deep.equal({ [name]: 'max-age=60' });
    expect(completed(['Strict-Transport-Security', 'max-age=1'], { hsts: 'max-age=60' })[name]).to.equal(
      'max-age=1',
    );
  });

  it('make one Vary of those of a backend and of what was found out', () => {
    const names = ['vary', 'accept-encoding, X-Plan', 'Vary', 'origin'];
    expect(completed(names, { varies: VARIES.origin })).to.deep.equal({
      vary: 'Accept-Encoding, Origin, X-Plan',
    });
    expect(completed(['vary', 'X-Plan'])).to.deep.equal({ vary: 'X-Plan' });
    expect(completed(names, { access: 'scoped' }).vary).to.equal(
      'Accept-Encoding, Authorization, x-api-key, Cookie, Origin, X-Plan',
    );
  });

  it('let a backend say itself who may keep its answer', () => {
    const own = { 'cache-control': 'public, max-age=60' };
    expect(completed(['cache-control', 'public, max-age=60'], { access: 'scoped' })).to.include(own);
    expect(completed([], { isPrivate: true })['cache-control']).to.equal('private, no-store');
  });

  it('forbid guesses at JSON, scripts and pictures, once', () => {
    const types = ['application/json; charset=utf-8', 'application/x-ndjson', 'application/problem+json'];
    for (const type of [...types, 'text/javascript', 'application/javascript', 'image/gif', 'Image/PNG'])
      expect(completed(['content-type', type])['x-content-type-options'], type).to.equal('nosniff');
    for (const type of ['text/html', 'text/csv', 'application/octet-stream'])
      expect(completed(['Content-Type', type]), type).to.not.have.property('x-content-type-options');
    const page = ['Content-Type', 'text/html', 'X-Content-Type-Options', 'nosniff'];
    expect(completed(page)['x-content-type-options']).to.equal('nosniff');
  });
});
