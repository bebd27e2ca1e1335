/** What the evaluation of flags remembers: little of the store is asked, and whatever is written shows at once or within 5 seconds. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import {
  KEY_CALLER,
  type ResourcesService,
  startResourcesService,
  startResourcesServiceOver,
} from '../../../support/start-resources-service.ts';

describe('the evaluation of flags, served', () => {
  let service: ResourcesService;
  /** Look-ups of clients and readings of scopes. */
  let reads: number;

  beforeEach(async () => {
    service = await startResourcesService();
    await service.documents.websites.insert({
      ...{ id: 'web_shop', organizationId: 'org_one', name: 'Shop', domain: 'shop.example.com' },
      ...{ isPublic: false, settings: {} },
    });
    reads = 0;
    const { documents } = service;
    const { websites } = documents;
    const { findUnique } = websites;
    const flagsIn = documents.flagsIn.bind(documents);
    websites.findUnique = (...asked) => {
      reads++;
      return findUnique(...asked);
    };
    documents.flagsIn = (...asked) => {
      reads++;
      return flagsIn(...asked);
    };
  });
  afterEach(() => service.close());

  const bulk = async (clientId: string, at: ResourcesService = service) =>
    (await at.ask(PUBLIC_CALLER, 'GET', `/public/v1/flags/bulk?clientId=${clientId}`)).body;
  const isOn = async (clientId: string, key: string, at?: ResourcesService) =>
    (await bulk(clientId, at)).flags[key]?.value;

  async function write(method: string, path: string, body?: object): Promise<{ id: string }> {
    const answer = await service.ask(KEY_CALLER, method, path, { body });
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 204);
    return answer.body?.data;
  }

  it('shows every write of a flag, a group or a website at the next call', async () => {
    expect((await bulk('web_shop')).count).to.equal(0);
    const rules = [{ type: 'user_id', operator: 'not_exists', enabled: true }];
    const group = await write('POST', '/v1/target-groups', { name: 'All', rules });
    const flag = await write('POST', '/v1/flags', { key: 'f', targetGroupIds: [group.id] });
    expect(await isOn('web_shop', 'f')).to.equal(true);
    await write('PATCH', `/v1/target-groups/${group.id}`, { rules: [] });
    expect(await isOn('web_shop', 'f')).to.equal(false);
    await write('PATCH', `/v1/flags/${flag.id}`, { defaultValue: true });
    expect([await isOn('web_shop', 'f'), await isOn('org_one', 'f')]).to.deep.equal([true, true]);
    await write('DELETE', `/v1/flags/${flag.id}`);
    expect((await bulk('web_shop')).count).to.equal(0);
  });

  it('shows what another process wrote once the bus tells, and within 5 seconds where it does not', async () => {
    const { id } = await write('POST', '/v1/flags', { key: 'f' });
    expect(await isOn('org_one', 'f')).to.equal(false);
    const set = async (version: number, defaultValue: boolean) =>
      service.documents.flags.update('org_one', id, version, { defaultValue });
    await set(1, true);
    expect(await isOn('org_one', 'f')).to.equal(false);
    service.bus.publish({ kind: 'flag', organizationId: 'org_one', id });
    expect(await isOn('org_one', 'f')).to.equal(true);
    await set(2, false);
    service.bus.publish({ kind: 'everything' });
    expect(await isOn('org_one', 'f')).to.equal(false);
    await set(3, true);
    service.clock.advance(5_000);
    expect(await isOn('org_one', 'f')).to.equal(true);
  });

  it('shows it also when the clock was set back meanwhile', async () => {
    const { id } = await write('POST', '/v1/flags', { key: 'f' });
    expect(await isOn('org_one', 'f')).to.equal(false);
    expect((await bulk('web_new')).count).to.equal(0);
    await service.documents.flags.update('org_one', id, 1, { defaultValue: true });
    await service.documents.websites.insert({
      ...{ id: 'web_new', organizationId: 'org_one', name: 'New', domain: 'new.example.com' },
      ...{ isPublic: false, settings: {} },
    });
    service.clock.advance(-3_600_000);
    expect([await isOn('org_one', 'f'), await isOn('web_new', 'f')]).to.deep.equal([true, true]);
  });

  it('asks the store once for many calls, also for identifiers that are nobody’s', async () => {
    await write('POST', '/v1/flags', { key: 'f', defaultValue: true });
    for (const clientId of ['web_shop', 'org_one', 'web_none']) {
      reads = 0;
      await Promise.all(Array.from({ length: 20 }, () => bulk(clientId)));
      const first = reads;
      expect(first, clientId).to.be.within(1, 3);
      await Promise.all(Array.from({ length: 20 }, () => bulk(clientId)));
      expect(reads, clientId).to.equal(first);
    }
    reads = 0;
    expect((await bulk('x'.repeat(200))).count).to.equal(0);
    expect(reads).to.equal(0);
  });

  it('reads the flags of an organization once for all of its websites', async () => {
    await write('POST', '/v1/flags', { key: 'f', defaultValue: true });
    const ids = Array.from({ length: 10 }, (_, n) => `web_${n}`);
    for (const id of ids) {
      await service.documents.websites.insert({
        ...{ id, organizationId: 'org_one', name: id, domain: `${id.slice(4)}.example.com` },
        ...{ isPublic: false, settings: {} },
      });
    }
    reads = 0;
    expect(await Promise.all(ids.map((id) => isOn(id, 'f')))).to.deep.equal(ids.map(() => true));
    // Each website is looked up and has a scope of its own; that of the organization is read once.
    expect(reads).to.equal(2 * ids.length + 1);
    await write('POST', '/v1/flags', { key: 'g', defaultValue: true });
    reads = 0;
    expect(await Promise.all(ids.map((id) => isOn(id, 'g')))).to.deep.equal(ids.map(() => true));
    expect(reads).to.equal(2 * ids.length + 1);
  });

  it('knows a website from the moment it is made, though it was asked for before', async () => {
    await write('POST', '/v1/flags', { key: 'f', defaultValue: true });
    expect((await bulk('web_new')).count).to.equal(0);
    await service.documents.websites.insert({
      ...{ id: 'web_new', organizationId: 'org_one', name: 'New', domain: 'new.example.com' },
      ...{ isPublic: false, settings: {} },
    });
    service.bus.publish({ kind: 'website', organizationId: 'org_one', id: 'web_new' });
    expect(await isOn('web_new', 'f')).to.equal(true);
  });

  it('does not remember what it began to read before a write', async () => {
    const { id } = await write('POST', '/v1/flags', { key: 'f' });
    const flagsIn = service.documents.flagsIn.bind(service.documents);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = () => {};
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    service.documents.flagsIn = async (...asked) => {
      const found = await flagsIn(...asked);
      begun();
      await held;
      return found;
    };
    const slow = bulk('org_one');
    await reading;
    service.documents.flagsIn = flagsIn;
    await write('PATCH', `/v1/flags/${id}`, { defaultValue: true });
    release();
    await slow;
    expect(await isOn('org_one', 'f')).to.equal(true);
  });

  it('is 5xx while the store does not answer, and right again once it does', async () => {
    await write('POST', '/v1/flags', { key: 'f', defaultValue: true });
    const { websites } = service.documents;
    const { findUnique } = websites;
    websites.findUnique = () => Promise.reject(new Error('disk on fire'));
    const answer = await service.ask(PUBLIC_CALLER, 'GET', '/public/v1/flags/bulk?clientId=org_one');
    expect(answer.status).to.be.at.least(500);
    expect(JSON.stringify(answer.body)).to.not.include('on fire');
    websites.findUnique = findUnique;
    expect(await isOn('org_one', 'f')).to.equal(true);
  });
});

describe('flags written by two processes', () => {
  it('close no circle, though both judged before either wrote', async () => {
    const one = await startResourcesService();
    const other = await startResourcesServiceOver(one.documents as DocumentStore, one.clock);
    const change = (at: typeof other, id: string, body: object) =>
      at.ask(KEY_CALLER, 'PATCH', `/v1/flags/${id}`, { body });
    const make = async (key: string): Promise<string> =>
      (await one.ask(KEY_CALLER, 'POST', '/v1/flags', { body: { key } })).body.data.id;
    const { update } = one.documents.flags;
    for (let round = 0; round < 20; round++) {
      // Neither writes before both have judged, so that each found nothing wrong.
      let arrived = 0;
      let release = () => {};
      const both = new Promise<void>((resolve) => {
        release = resolve;
      });
      one.documents.flags.update = async (...asked) => {
        if (++arrived === 2) release();
        await both;
        return update(...asked);
      };
      const keys = [`a${round}`, `b${round}`] as const;
      const [a, b] = [await make(keys[0]), await make(keys[1])];
      const answers = await Promise.all([
        change(one as typeof other, a, { dependencies: [keys[1]] }),
        change(other, b, { dependencies: [keys[0]] }),
      ]);
      const done = answers.filter(({ status }) => status === 200).length;
      expect(done).to.be.at.most(1);
      for (const { status } of answers) expect([200, 409]).to.include(status);
      expect(arrived).to.be.at.least(2);
      const stored = await Promise.all([a, b].map((id) => one.documents.flags.get('org_one', id)));
      expect(stored.filter((flag) => (flag?.dependencies.length ?? 0) > 0)).to.have.length(done);
    }
    await one.close();
    await other.close();
  });
});
