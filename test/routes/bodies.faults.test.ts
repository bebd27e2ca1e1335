/** What is wrong with a body is told alike wherever it is read: by the gateway or by a service, with the place and next to nothing of what came. */
import { expect } from 'chai';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('a faulty body', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server?.close());

  const JSON_ALONE = 'application/json, in UTF-8.';
  const OR_TEXT = 'application/json or text/plain, in UTF-8.';
  for (const [reader, method, path, allowed] of [
    ['the gateway, which counts it', 'POST', '/track', OR_TEXT],
    ['the gateway, which counts it', 'POST', '/v1/query', JSON_ALONE],
    ['the gateway, which answers', 'POST', '/v1/auth/login', JSON_ALONE],
    ['the query service', 'POST', '/v1/query/custom', JSON_ALONE],
    ['the query service', 'POST', '/v1/query/compile', JSON_ALONE],
    ['the resources service', 'POST', '/v1/websites', JSON_ALONE],
    ['the resources service', 'PATCH', '/v1/organization', JSON_ALONE],
  ] as const) {
    const send = (body: string, headers: Record<string, string> = {}) =>
      server.call(method, path, { key: server.keys.all, body, headers });

    it(`of JSON is told by line and column: ${method} ${path}, read by ${reader}`, async () => {
      for (const [body, place] of [
        ['{"a": 1,\n  "b" "hunter2"}', 'line 2, column 7: came a quote; allowed: ":".'],
        ['\uFEFF{"a": 1,}', 'line 1, column 9: came "}"; allowed: a name in double quotes.'],
        ['[{"a": 1}\n', 'line 2, column 1: came the end; allowed: "," or "]".'],
      ] as const) {
        const answer = await send(body);
        expect(answer.status).to.equal(400);
        expect(answer.body.details).to.deep.equal([
          { field: 'body', message: `The body is not valid JSON: ${place}` },
        ]);
        expect(JSON.stringify(answer.body)).to.not.include('hunter2');
      }
    });

    it(`of another type is told what came and what is allowed: ${method} ${path}`, async () => {
      for (const [type, shown] of [
        ['application/xml', '"application/xml"'],
        ['application/json; charset="latin1"', `"application/json; charset='latin1'"`],
        [`a/${'b'.repeat(200)}`, `"a/${'b'.repeat(78)}…"`],
      ] as const) {
        const answer = await send('{}', { 'content-type': type });
        expect(answer.status).to.equal(415);
        expect(answer.body.error).to.equal(`The body came as ${shown}; allowed: ${allowed}`);
      }
    });

    it(`in another encoding is told the same: ${method} ${path}`, async () => {
      const answer = await send('{}', { 'content-encoding': 'zstd' });
      expect(answer.status).to.equal(415);
      expect(answer.body.error).to.equal(
        'The body came with Content-Encoding "zstd"; allowed: gzip, deflate, br, or none.',
      );
    });
  }
});
