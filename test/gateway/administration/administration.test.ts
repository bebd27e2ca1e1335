/** Holds the operator socket: who may reach it, what becomes of a dead one, and what it refuses. */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAdministration } from '../../../gateway/administration/operations.ts';
import { ADMINISTRATION_ROUTES } from '../../../gateway/administration/routes.ts';
import { type OperatorServer, startOperatorServer } from '../../../gateway/administration/server.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { noExport } from '../../support/no-export.ts';
import { noImport } from '../../support/no-import.ts';
import { leaveStaleSocket } from '../../support/stale-socket.ts';
import { createTestCleanups } from '../../support/start-cleanups.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createTestSealer } from '../../support/test-sealer.ts';

describe('operator socket', () => {
  const clock = createTestClock();
  let directory: string;
  let socketPath: string;
  const servers: OperatorServer[] = [];
  let purges = 0;
  const log = createLogWatch();

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-socket-'));
    socketPath = join(directory, 'admin.sock');
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    log.assertClean();
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(path = socketPath): Promise<OperatorServer> {
    const documents = createMemoryDocumentStore(clock);
    const ports = { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE };
    const administration = createAdministration(ports, {
      keyPrefix: 'tg',
      sealer: async () => createTestSealer(),
      plans: async () => ['free'],
      importBatch: noImport,
      exportBatch: noExport,
      purgeCaches: () => purges++,
      cleanups: async () => createTestCleanups(documents, clock).cleanups,
    });
    const server = await startOperatorServer({
      routes: ADMINISTRATION_ROUTES,
      administration,
      socketPath: path,
      logger: log.logger,
    });
    servers.push(server);
    return server;
  }
  const faultOf = (path = socketPath) =>
    start(path).then(
      () => 'none',
      (error: Error) => error.message,
    );
  function ask(
    method: string,
    path: string,
    body = '',
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath, method, path }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it('may be reached by its own user only', async () => {
    const umask = process.umask();
    await start();
    expect(statSync(socketPath).mode & 0o777).to.equal(0o600);
    expect(process.umask()).to.equal(umask);
  });

  it('is refused while a server answers on it, which goes on answering', async () => {
    await start();
    expect(await faultOf()).to.equal(`a server already runs in this DATA_DIR: it answers on ${socketPath}`);
    expect((await ask('GET', '/api-keys')).status).to.equal(200);
  });

  it('replaces that of a dead server', async () => {
    await leaveStaleSocket(socketPath);
    await start();
    expect((await ask('GET', '/api-keys')).body).to.deep.equal({ success: true, data: [] });
  });

  it('is gone when the server is closed, and can be had again', async () => {
    await (await start()).close();
    servers.length = 0;
    expect(existsSync(socketPath)).to.equal(false);
    await start();
    expect((await ask('GET', '/api-keys')).status).to.equal(200);
  });

  it('never takes the place of a file that is no socket', async () => {
    writeFileSync(socketPath, 'mine');
    expect(await faultOf()).to.equal(`${socketPath} is not a socket: move it away`);
    expect(statSync(socketPath).size).to.equal(4);
  });

  it('names a path that is too long for the system', async () => {
    const long = join(directory, 'd'.repeat(120), 'admin.sock');
    expect(await faultOf(long)).to.match(
      / bytes long, and a unix socket's path may have at most \d+: set a shorter DATA_DIR$/,
    );
  });

  it('answers unknown paths, methods and bodies in the one shape of errors', async () => {
    await start();
    const cases: [string, string, string, number, string][] = [
      ['GET', '/', '', 404, 'NOT_FOUND'],
      ['DELETE', '/api-keys', '', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/api-keys', '{', 400, 'VALIDATION_ERROR'],
      [
        'POST',
        '/api-keys',
        '{"organizationId":"org_one","scopes":[],"createdBy":"root"}',
        400,
        'VALIDATION_ERROR',
      ],
      ['POST', '/api-keys', JSON.stringify('x'.repeat(70_000)), 413, 'PAYLOAD_TOO_LARGE'],
    ];
    for (const [method, path, body, status, code] of cases) {
      const answer = await ask(method, path, body);
      expect([answer.status, answer.body.success, answer.body.code], `${method} ${path}`).to.deep.equal([
        status,
        false,
        code,
      ]);
    }
  });

  it('has every process forget what it keeps, on one call', async () => {
    await start();
    const before = purges;
    expect((await ask('POST', '/caches/purge', '{}')).status).to.equal(200);
    expect(purges).to.equal(before + 1);
    expect((await ask('POST', '/caches/purge', '{"all":true}')).status).to.equal(400);
    expect(purges).to.equal(before + 1);
  });

  it('says that nothing was forgotten where no process can be told', async () => {
    const documents = createMemoryDocumentStore(clock);
    const administration = createAdministration(
      { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE },
      {
        ...{ keyPrefix: 'tg', sealer: async () => createTestSealer(), plans: async () => ['free'] },
        ...{
          importBatch: noImport,
          exportBatch: noExport,
          cleanups: async () => createTestCleanups(documents, clock).cleanups,
        },
      },
    );
    const fault = await administration.purgeCaches().catch((error: Error) => error);
    expect(fault).to.include({ code: 'UPSTREAM_UNAVAILABLE', status: 503 });
  });
});
