/** The services in the process of a gateway: which of them listen, and which are called. */
import { expect } from 'chai';
import { loadSettings } from '../../../config/settings.ts';
import { startServices } from '../../../gateway/process/start-services.ts';
import { SERVICES } from '../../../services/shared/identity/identity-token.ts';
import { createTransportService } from '../../support/transport-service.ts';

describe('the services of an embedded server', () => {
  let closers: (() => Promise<void>)[];
  beforeEach(() => {
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers) await close();
  });

  async function start(settings: Readonly<Record<string, string>>) {
    const services = await startServices(loadSettings(settings), closers);
    for (const name of SERVICES) services.backends[name].serve(createTransportService().app);
    const urls = SERVICES.map((name) => services.backends[name].url);
    return { urls, called: [...services.inProcess.keys()], listeners: closers.length };
  }
  const statusOf = async (url: string | undefined) => (await fetch(`${url}/health`)).status;

  it('are called, and listen nowhere', async () => {
    const names = ['http://query.invalid', 'http://tracking.invalid', 'http://resources.invalid'];
    expect(await start({})).to.deep.equal({ urls: names, called: names, listeners: 0 });
  });

  it('are called and listen where they have an address, for other gateways', async () => {
    const { urls, called, listeners } = await start({ QUERY_URL: 'http://127.0.0.1:0' });
    expect([listeners, called]).to.deep.equal([1, urls]);
    expect(await statusOf(urls[0])).to.equal(200);
  });

  it('listen on free ports and are not called where HTTP is asked for', async () => {
    const { urls, called, listeners } = await start({ EMBEDDED_TRANSPORT: 'http' });
    expect([listeners, called]).to.deep.equal([3, []]);
    for (const url of urls) expect(await statusOf(url)).to.equal(200);
  });

  it('take no other transport', () => {
    expect(() => loadSettings({ EMBEDDED_TRANSPORT: 'socket' })).to.throw('must be process or http');
  });
});
