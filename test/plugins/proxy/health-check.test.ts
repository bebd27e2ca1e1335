/** A health check at a path that the backend does not have. */
import { expect } from 'chai';
import { startHealthCheck } from '../../../plugins/proxy/health-check.ts';
import { UpstreamAddress } from '../../../plugins/proxy/upstream-address.ts';
import { healthCheckSchema } from '../../../services/shared/plans/service-endpoint.ts';
import { until } from '../../support/until.ts';
import { UpstreamService } from '../../support/upstream-service.ts';

describe('a health check', () => {
  let service: UpstreamService;
  beforeEach(async () => {
    service = await UpstreamService.start();
  });
  afterEach(() => service.kill());

  it('tells once that its path is refused, and goes on asking', async () => {
    service.answer = (_req, res) => res.writeHead(404).end();
    const refused: number[] = [];
    const address = new UpstreamAddress(service.origin, 0, null, () => undefined);
    const check = { ...healthCheckSchema.parse({ intervalSeconds: 0.1 }), path: '/no-such-path' };
    const stop = startHealthCheck(address, check, (status) => refused.push(status));
    await until('several questions', () => service.count >= 4);
    await until('the address to be taken out', () => !address.isHealthy);
    expect(refused).to.deep.equal([404]);
    service.answer = (_req, res) => res.end('ok');
    await until('the address to come back', () => address.isHealthy);
    stop();
  });

  it('tells nothing of a backend that takes no requests', async () => {
    service.isReady = false;
    const refused: number[] = [];
    const address = new UpstreamAddress(service.origin, 0, null, () => undefined);
    const check = { ...healthCheckSchema.parse({ intervalSeconds: 0.1 }), path: '/health/ready' };
    const stop = startHealthCheck(address, check, (status) => refused.push(status));
    await until('the address to be taken out', () => !address.isHealthy);
    stop();
    expect(refused).to.deep.equal([]);
  });
});
