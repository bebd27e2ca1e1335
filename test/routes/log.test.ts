/** What a log never holds: keys, tokens, cookies, passwords, hashes, private keys; in good times and in bad ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { assertCleanLog, createLogWatch } from '../support/log-watch.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startGateway, startUpstream } from '../support/start-gateway.ts';
import { newKeyText, startTidegate } from '../support/start-tidegate.ts';

describe('the log', () => {
  it('of a run in which callers send secrets everywhere holds none of them', async () => {
    const password = 'correct horse battery staple';
    const watch = createLogWatch([password, 'cookie-value']);
    const server = await startTidegate({ logger: watch.logger });
    const { keys } = server;
    const headers = { cookie: 'tg_access=cookie-value; tg_refresh=cookie-value' };
    for (const key of [...Object.values(keys), `${keys.all}x`, password]) {
      for (const [method, path] of [
        ['GET', `/v1/websites?key=${encodeURIComponent(key)}`],
        ['POST', '/track'],
        ['POST', '/v1/query'],
        ['GET', '/v1/query/websites'],
        ['DELETE', `/nothing/${encodeURIComponent(key)}`],
      ] as const) {
        const body = method === 'POST' ? { body: { key, password } } : {};
        await server.call(method, path, { key, headers, ...body });
        await server.call(method, path, { headers: { ...headers, authorization: `Bearer ${key}` }, ...body });
      }
      await server.call('POST', '/v1/query', { key, body: `{"key":"${key}"` });
      await rawRequest(server.origin, `GET / HTTP/1.1\r\nx-api-key: ${key}\r\nX A: ${key}\r\n\r\n`);
    }
    const secrets = readFileSync(join(server.dataDir, 'secrets.json'), 'utf8');
    await server.close();
    const { identityKeys, visitorSecret } = JSON.parse(secrets);
    assertCleanLog(watch.lines, [identityKeys[0].d, visitorSecret, password, 'cookie-value']);
  });

  it('of broken services holds the request id and the fault, and no secret', async () => {
    const upstream = await startUpstream((req) => req.socket.destroy());
    const gateway = await startGateway({ upstream: upstream.origin });
    const response = await fetch(`${gateway.origin}/v1/query/websites`, {
      headers: { 'x-api-key': gateway.key, cookie: 'tg_access=cookie-value' },
    });
    expect(response.status).to.equal(502);
    await gateway.close();
    await upstream.close();
    const line = gateway.log.find((each) => each.includes(response.headers.get('x-request-id') ?? '-'));
    expect(line, gateway.log.join('')).to.not.equal(undefined);
    assertCleanLog(gateway.log, ['cookie-value', gateway.key]);
  });

  it('is searched in earnest: each kind of secret is found', () => {
    const lines = [
      `key ${newKeyText()}`,
      'token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln',
      'cookie tg_access=x',
      'hash $argon2id$v=19',
      JSON.stringify({ err: { message: JSON.stringify({ d: 'a'.repeat(43) }) } }),
      JSON.stringify({ headers: { Authorization: 'x' } }),
    ];
    for (const line of lines) expect(() => assertCleanLog([line]), line).to.throw('secrets in the log');
    expect(() => assertCleanLog(['my password'], ['password'])).to.throw('in: my ***');
    expect(() => assertCleanLog(['{"level":30,"msg":"provisioning file applied"}'])).to.not.throw();
  });
});
