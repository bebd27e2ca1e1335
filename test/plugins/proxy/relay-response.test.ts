/** Answers of services on their way to the client: whose 401 is one for the client, and whose is one for the gateway. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const PATH = '/v1/query/types';
const SHIPPED = `paths: ${PATH}\n    methods: GET\n    access: public`;

describe('a 401 of a service at an endpoint that asks for no key', () => {
  for (const access of ['public', 'optional']) {
    describe(`with access ${access}`, () => {
      let upstream: Awaited<ReturnType<typeof startUpstream>>;
      let folder: TempDirectory;
      let gateway: TestGateway;
      before(async () => {
        upstream = await startUpstream((_req, res) => res.writeHead(401, 'AUTH_REQUIRED').end('{}'));
        folder = createTempDirectory();
        cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
        const text = readFileSync(folder.file('gateway.config.yml'), 'utf8');
        expect(text).to.include(SHIPPED);
        const changed = text.replace(SHIPPED, SHIPPED.replace('public', access));
        writeFileSync(folder.file('gateway.config.yml'), changed);
        gateway = await startGateway({ upstream: upstream.origin, configDir: folder.path });
      });
      after(async () => {
        await gateway.close();
        await upstream.close();
        folder.remove();
      });

      it('goes to an anonymous caller, and no line to the log', async () => {
        const answer = await fetch(`${gateway.origin}${PATH}`);
        expect([answer.status, answer.statusText]).to.deep.equal([401, 'AUTH_REQUIRED']);
        expect(gateway.log).to.deep.equal([]);
      });

      if (access === 'optional')
        it('is one for the gateway where a key came: 502', async () => {
          const headers = { 'x-api-key': gateway.key };
          const answer = await fetch(`${gateway.origin}${PATH}`, { headers });
          expect([answer.status, answer.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
        });
    });
  }
});
