/** What requests and answers say of caches, by the rules of RFC 9111. */
import { expect } from 'chai';
import { lifetimeOf, readDirectives, wishOf } from '../../../plugins/cache/cache-control.ts';

const DEFAULTS = { seconds: 60, staleSeconds: 5 };
const lifetime = (headers: Record<string, string | string[]>, status = 200) =>
  lifetimeOf(status, headers, DEFAULTS);

describe('Cache-Control', () => {
  it('is read in any case, quoted or not; of two times the shorter counts', () => {
    const read = readDirectives('Max-Age=10, private="x, y" ,no-STORE,max-age="3", s-maxage = 7');
    expect(Object.fromEntries(read)).to.deep.equal({
      ...{ 'max-age': '3', private: 'x, y', 'no-store': '', 's-maxage': '7' },
    });
  });

  it('of an answer says how long it is fresh, and stale', () => {
    const times: [Record<string, string>, [number, number]][] = [
      [{}, [60, 5]],
      [{ 'cache-control': 'max-age=10' }, [10, 5]],
      [{ 'cache-control': 'public, max-age=10, s-maxage=20' }, [20, 0]],
      [{ 'cache-control': 'max-age=10, stale-while-revalidate=30' }, [10, 30]],
      [{ 'cache-control': 'max-age=10, stale-while-revalidate=30, must-revalidate' }, [10, 0]],
      [{ 'cache-control': 'max-age=ten' }, [0, 5]],
      [{ 'cache-control': 'max-age=-1' }, [0, 5]],
      [{ expires: 'Mon, 05 Jan 2026 00:01:00 GMT', date: 'Mon, 05 Jan 2026 00:00:00 GMT' }, [60, 5]],
      [{ expires: '0', date: 'Mon, 05 Jan 2026 00:00:00 GMT' }, [0, 5]],
    ];
    for (const [headers, [fresh, stale]] of times)
      expect(lifetime(headers), JSON.stringify(headers)).to.include({
        freshSeconds: fresh,
        staleSeconds: stale,
      });
    expect(lifetime({ age: '7', vary: 'Accept-Language, X-Shop' })).to.deep.include({
      ageSeconds: 7,
      varies: ['accept-language', 'x-shop'],
    });
  });

  it('and other headers of an answer forbid to keep it', () => {
    const never: Record<string, string | string[]>[] = [
      ...[{ 'cache-control': 'no-store' }, { 'cache-control': 'No-Cache' }, { 'cache-control': 'private' }],
      ...[{ 'cache-control': 'max-age=10, no-store' }, { 'cache-control': 'private="x-a", max-age=9' }],
      ...[{ 'set-cookie': 'a=b' }, { 'set-cookie': ['a=b', 'c=d'] }, { vary: '*' }, { vary: 'origin, *' }],
      ...[{ 'content-encoding': 'gzip' }, { 'content-range': 'bytes 0-1/2' }],
      { 'content-type': 'text/event-stream; charset=utf-8' },
    ];
    for (const headers of never) expect(lifetime(headers), JSON.stringify(headers)).to.equal(null);
    for (const status of [201, 204, 206, 301, 304, 401, 403, 404, 429, 500, 503])
      expect(lifetime({ 'cache-control': 'max-age=10' }, status), `${status}`).to.equal(null);
  });

  it('of a request says whether a kept answer will do', () => {
    const way = (headers: Record<string, string>, method = 'GET') => wishOf(method, headers).way;
    expect(way({})).to.equal('kept');
    expect(way({ 'cache-control': 'max-age=10, only-if-cached' })).to.equal('kept');
    const renewing: Record<string, string>[] = [
      { 'cache-control': 'no-cache' },
      { 'cache-control': 'max-age=0' },
      { pragma: 'no-cache' },
    ];
    for (const headers of renewing) expect(way(headers)).to.equal('renew');
    const passing: Record<string, string>[] = [
      ...[
        { 'cache-control': 'no-store' },
        { range: 'bytes=0-1' },
        { 'if-range': '"a"' },
        { 'if-match': '"a"' },
      ],
      ...[{ 'if-modified-since': 'x' }, { 'if-unmodified-since': 'x' }, { 'content-length': '2' }],
      { 'transfer-encoding': 'chunked' },
    ];
    for (const headers of passing) expect(way(headers)).to.equal('pass');
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(way({}, method)).to.equal('pass');
  });
});
