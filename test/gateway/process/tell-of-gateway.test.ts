/** A gateway that runs alone is asked at a socket of its own, and starts without one where none can be. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { liveGateways } from '../../../gateway/administration/socket.ts';
import { createAdministrationClient } from '../../../gateway/cli/administration-client.ts';
import { tellOfGateway } from '../../../gateway/process/tell-of-gateway.ts';
import type { Gateway } from '../../../gateway/serve/create-gateway.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const GATEWAY = { refusals: () => [], throttled: () => [], limitsOf: async () => null } as unknown as Gateway;
const METRICS = { text: async () => 'tidegate_connections 3\n' };

describe('a gateway that runs alone', () => {
  let folder: TempDirectory;
  beforeEach(() => {
    folder = createTempDirectory();
  });
  afterEach(() => folder.remove());

  const tell = async (at: string) => {
    const closers: (() => Promise<void>)[] = [];
    const log = createLogWatch();
    await tellOfGateway(GATEWAY, at, METRICS, log.logger, closers);
    const operatorSocket = join(folder.path, 'none.sock');
    const live = await liveGateways({ operatorSocket, gatewaySockets: at }).catch(() => []);
    return { live, lines: log.lines, close: () => Promise.all(closers.map((each) => each())) };
  };

  it('tells what it measures, and of an unknown organization that there is none, until it ends', async () => {
    const at = join(folder.path, 'gateways');
    const told = await tell(at);
    expect(told.live).to.have.length(1);
    const client = createAdministrationClient(told.live[0] ?? '');
    expect((await client.traffic()).metrics).to.include('tidegate_connections 3');
    const refused = await client.limits('org_none').catch((fault: unknown) => String(fault));
    expect(refused).to.include('org_none');
    expect(
      await client.listOrganizations().catch((fault: unknown) => (fault as { code: string }).code),
    ).to.equal('NOT_FOUND');
    await told.close();
    expect(
      await liveGateways({ operatorSocket: join(folder.path, 'none.sock'), gatewaySockets: at }),
    ).to.deep.equal([]);
  });

  it('starts without a socket where it may not write, and says so', async () => {
    const file = folder.file('no-folder');
    writeFileSync(file, '');
    const told = await tell(join(file, 'gateways'));
    expect(told.live).to.deep.equal([]);
    expect(told.lines.join('')).to.include('tidegate cannot ask this gateway');
  });
});
