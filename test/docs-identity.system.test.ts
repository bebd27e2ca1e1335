/** The examples of docs/identity.md, each run as a backend: what they accept is the gateway's word, made for them, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { PACKAGE_ROOT } from '../config/settings.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_HEADER,
  IDENTITY_ISSUER,
} from '../services/shared/identity/identity-token.ts';
import { withForeignBackends } from './support/foreign-backends.ts';
import { freePort } from './support/free-port.ts';
import { testCaller } from './support/identity.ts';
import { LANGUAGES } from './support/identity-examples/languages.ts';
import { startTidegate, type TestServer } from './support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from './support/temp-directory.ts';
import { until } from './support/until.ts';

const GUIDE = readFileSync(join(PACKAGE_ROOT, 'docs/identity.md'), 'utf8');
for (const [name, language] of Object.entries(LANGUAGES)) {
  describe(`the example in ${name} of the identity guide`, () => {
    let folder: TempDirectory;
    let configuration: TempDirectory;
    let server: TestServer;
    let example: ChildProcess;
    let backend = '';
    let written = '';

    before(async function () {
      // A compiler that is run for the first time on a busy machine.
      this.timeout(300_000);
      const missing = language.missing();
      if (missing !== null) {
        process.stderr.write(`      skipped: it needs ${missing}, then npm run test:all runs it\n`);
        this.skip();
      }
      const port = await freePort();
      backend = `http://127.0.0.1:${port}`;
      configuration = withForeignBackends({
        orders: { service: [`url: ${backend}`, 'identity: { audience: orders }'] },
      });
      server = await startTidegate({ configDir: configuration.path });
      folder = createTempDirectory();
      const [text = ''] = examplesIn(language.fence);
      const [command, ...args] = language.prepare(text, folder);
      example = spawn(command, args, {
        cwd: folder.path,
        env: { ...process.env, PORT: `${port}`, JWKS_URL: `${server.origin}/.well-known/jwks.json` },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [example.stdout, example.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          written += chunk.toString();
        });
      }
      await until(`the example to listen: ${written}`, async () => {
        if (example.exitCode !== null) throw new Error(`it ended: ${written}`);
        return (await fetch(backend).catch(() => null)) !== null;
      });
    });
    after(async () => {
      if (example?.exitCode === null) {
        const ended = once(example, 'exit');
        example.kill('SIGKILL');
        await ended;
      }
      await server?.close();
      configuration?.remove();
      folder?.remove();
    });

    it('is the only one in its language', () => {
      expect(examplesIn(language.fence)).to.have.length(1);
    });

    it('learns through the gateway who calls', async () => {
      const answer = await server.call('GET', '/orders/7', { key: server.keys.twoWebsites });
      expect(answer.status, written).to.equal(200);
      expect(answer.body).to.deep.equal({ caller: 'key_two', organization: 'org_main' });
    });

    it('refuses who comes past the gateway', async () => {
      const direct = async (token: string | null) => {
        const headers = token === null ? undefined : { [IDENTITY_HEADER]: token };
        return (await fetch(`${backend}/orders/7`, { headers })).status;
      };
      const tokens = await tokensFor(server.dataDir);
      for (const [what, token] of Object.entries(tokens.bad)) {
        expect(await direct(token), `${what}: ${written}`).to.equal(401);
      }
      expect(await direct(null)).to.equal(401);
      expect(await direct(tokens.good), written).to.equal(200);
    });
  });
}

/** The code blocks of the guide with this word after the fence. */
function examplesIn(fence: string): string[] {
  return [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, word, text = '']) =>
    word === fence ? [text] : [],
  );
}

/** A token as the gateway signs it for orders, and others that are not. */
async function tokensFor(dataDir: string): Promise<{ good: string; bad: Record<string, string> }> {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    identityKeys: (JWK & { x: string })[];
  };
  const [jwk] = secrets.identityKeys;
  if (jwk === undefined) throw new Error('no identity key');
  const now = Math.floor(Date.now() / 1_000);
  const claims = { caller: testCaller() };
  interface Says {
    readonly audience?: string;
    readonly issuer?: string;
    /** Seconds from now. */
    readonly expires?: number;
    readonly kid?: string;
  }
  const signed = async ({
    audience = 'orders',
    issuer = IDENTITY_ISSUER,
    expires = 3_000,
    kid = jwk.kid,
  }: Says = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now - 10)
      .setExpirationTime(now + expires)
      .sign(await importJWK(jwk, IDENTITY_ALGORITHM));
  const good = await signed();
  const [head = '', body = '', signature = ''] = good.split('.');
  const forged = Buffer.from(
    JSON.stringify({ ...claims, iss: IDENTITY_ISSUER, aud: 'orders', exp: now + 3_000 }),
  );
  return {
    good,
    bad: {
      'no token at all': 'nothing',
      'for another backend': await signed({ audience: 'billing' }),
      'for a service of ours': await signed({ audience: 'query' }),
      'of another issuer': await signed({ issuer: 'somebody' }),
      expired: await signed({ expires: -60 }),
      'of an unknown key': await signed({ kid: 'unknown' }),
      'with other claims': `${head}.${forged.toString('base64url')}.${signature}`,
      'with another signature': `${head}.${body}.${Buffer.alloc(64, 7).toString('base64url')}`,
      unsigned: new UnsecuredJWT(claims)
        .setIssuer(IDENTITY_ISSUER)
        .setAudience('orders')
        .setExpirationTime(now + 3_000)
        .encode(),
      'signed by the public key as a password': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
        .setIssuer(IDENTITY_ISSUER)
        .setAudience('orders')
        .setExpirationTime(now + 3_000)
        .sign(Buffer.from(jwk.x, 'base64url')),
    },
  };
}
