/** How a service reads query strings: by the schema of the route, which is asked once for the same text. */
import { expect } from 'chai';
import { z } from 'zod';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { readQuery } from '../../../../services/shared/http/read-query.ts';

function countedSchema() {
  let times = 0;
  const count = (value: unknown) => {
    times++;
    return value;
  };
  const fields = z.object({
    limit: z.coerce.number().default(10),
    columns: z.array(z.string()).default(['path']),
  });
  return { schema: z.preprocess(count, fields), times: () => times };
}

describe('the query string of a request', () => {
  it('has its defaults where there is none', () => {
    const { schema } = countedSchema();
    expect(readQuery(schema, '/v1/links')).to.deep.equal({ limit: 10, columns: ['path'] });
  });

  it('is parsed once for the same text of one schema', () => {
    const { schema, times } = countedSchema();
    const other = countedSchema();
    const first = readQuery(schema, '/v1/links?limit=5&columns=a&columns=b');
    expect(first).to.deep.equal({ limit: 5, columns: ['a', 'b'] });
    expect(readQuery(schema, '/v1/websites?limit=5&columns=a&columns=b')).to.equal(first);
    expect(readQuery(schema, '/v1/links?limit=6')).to.deep.equal({ limit: 6, columns: ['path'] });
    expect(readQuery(other.schema, '/v1/links?limit=6')).to.not.equal(readQuery(schema, '/v1/links?limit=6'));
    expect([times(), other.times()]).to.deep.equal([2, 1]);
  });

  it('cannot be changed by one request for another', () => {
    const query = readQuery(countedSchema().schema, '/v1/links') as { limit: number; columns: string[] };
    expect(() => query.columns.push('country')).to.throw(TypeError);
    expect(() => {
      query.limit = 1;
    }).to.throw(TypeError);
  });

  it('is refused by the schema each time where it is wrong', () => {
    const { schema, times } = countedSchema();
    for (let time = 1; time <= 2; time++) {
      expect(() => readQuery(schema, '/v1/links?limit=many')).to.throw(ApiError, 'limit');
      expect(times()).to.equal(time);
    }
  });

  it('is kept for few texts, and for no long target', () => {
    const { schema, times } = countedSchema();
    for (const long of [`/v1/links?columns=a&columns=${'x'.repeat(300)}`, `/v1/links/${'x'.repeat(300)}`]) {
      expect(readQuery(schema, long)).to.not.equal(readQuery(schema, long));
      expect(readQuery(schema, long)).to.be.frozen;
    }
    const before = times();
    for (let limit = 1; limit <= 100; limit++) readQuery(schema, `/v1/links?limit=${limit}`);
    readQuery(schema, '/v1/links?limit=1');
    readQuery(schema, '/v1/links?limit=100');
    expect(times() - before).to.equal(101);
  });
});
