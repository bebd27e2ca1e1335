/** The gateways of the auth bench start on the configuration of today, and one that cannot start ends the bench. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listen, originOf } from '../../gateway/serve/http/listen.ts';
import { rejection } from '../support/rejection.ts';
import {
  type AuthTarget,
  SHIPPED_CONFIGURATION,
  startAuthTarget,
  writeNoAuthConfiguration,
} from './auth-targets.ts';

describe('the gateways of the auth bench', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-test-'));
  const server = createServer((_req, res) => res.end('{"success":true}'));
  let upstream: string;

  before(async () => {
    upstream = originOf(await listen(server, 0, '127.0.0.1'));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function statuses(target: AuthTarget): Promise<number[]> {
    try {
      const ask = async (headers: Record<string, string>) => {
        const response = await fetch(`${target.origin}/v1/query/websites`, { headers });
        await response.body?.cancel();
        return response.status;
      };
      expect(await target.cpu()).to.be.greaterThan(0);
      return [await ask({ 'x-api-key': target.key }), await ask({})];
    } finally {
      await target.close();
    }
  }

  it('judge keys, or nobody', async () => {
    expect(await statuses(await startAuthTarget(upstream, SHIPPED_CONFIGURATION))).to.deep.equal([200, 401]);
    writeNoAuthConfiguration(folder);
    expect(await statuses(await startAuthTarget(upstream, folder))).to.deep.equal([200, 200]);
  });

  it('are waited for no longer than they live', async () => {
    const fault = await rejection(startAuthTarget(upstream, join(folder, 'none'), 'ignore'));
    expect(String(fault)).to.contain('ended with 1');
  });
});
