/** The memory of kept answers: all that is kept counts, whatever the texts of a request are. */
import { expect } from 'chai';
import { AnswerStore, type StoredAnswer } from '../../../plugins/cache/answer-store.ts';
import { addressOf, keyOf, withHeaders } from '../../../plugins/cache/cache-key.ts';
import { Recording } from '../../../plugins/cache/recording.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';

const answer = (body: Buffer, varies: readonly string[] = [], address = '/a'): StoredAnswer => ({
  answer: { status: 200, headers: { etag: '"1"' }, body },
  lifetime: { freshSeconds: 60, staleSeconds: 0, ageSeconds: 0, varies },
  ...{ etag: null, address, storedAtMs: 0, isRenewed: false },
});
const requestOf = (url: string, backend: string | null = null) =>
  ({
    url,
    headers: {},
    socket: {},
    context: { endpoint: { name: 'shop' }, backend, target: null },
  }) as unknown as GatewayRequest;

describe('the store of answers', () => {
  it('has short keys, however much a caller may see and however long the address is', () => {
    const websiteIds = Array.from({ length: 1_000 }, (_, index) => `web_${index}`);
    const caller = {
      ...{ id: 'key_1', kind: 'key', organizationId: 'org_a', userId: null, role: null, plan: 'free' },
      ...{ scopes: ['read:data'], access: { level: 'website', websiteIds } },
    } as unknown as Caller;
    const request = requestOf(`/shop?${'x'.repeat(8_000)}`);
    const key = keyOf(request, caller, 'organization', () => false);
    const whole = withHeaders(key, () => ['accept', 'y'.repeat(8_000)], ['accept']);
    for (const text of [key, whole, addressOf(request)]) expect(text).to.have.length(44);
    expect(whole).to.not.equal(key);
  });

  it('counts the names of headers that answers depend on, and drops them with the rest', () => {
    const store = new AnswerStore(65_536);
    for (let index = 0; index < 1_000; index++)
      store.set(`k${index}`, `k${index} de`, answer(Buffer.alloc(0), ['accept-language']));
    expect(store.bytes).to.be.within(2_000, 65_536);
    expect(store.variesOf('k0')).to.deep.equal([]);
    expect(store.variesOf('k999')).to.deep.equal(['accept-language']);
    expect(store.get('k999')).to.equal(null);
    expect(store.get('k999 de')?.answer.status).to.equal(200);
    store.clear();
    expect([store.bytes, store.variesOf('k999')]).to.deep.equal([0, []]);
  });

  it('notes nothing of an answer that is too large', () => {
    const store = new AnswerStore(65_536);
    expect(store.set('k', 'k de', answer(Buffer.alloc(65_000), ['accept-language']))).to.equal(false);
    expect([store.bytes, store.variesOf('k')]).to.deep.equal([0, []]);
  });

  it('keeps notes within its memory, and takes an address that it forgot for one that was written to', () => {
    const store = new AnswerStore(65_536);
    expect(store.mostNotes).to.equal(16);
    store.written('/a', 5);
    expect([store.wasWritten('/a', 5), store.wasWritten('/b', 5)]).to.deep.equal([true, false]);
    for (let index = 0; index < 16; index++) store.written(`/other-${index}`, 7);
    expect([store.wasWritten('/a', 5), store.wasWritten('/b', 5)]).to.deep.equal([true, true]);
  });

  it('keeps a body in memory of its own', () => {
    const store = new AnswerStore(65_536);
    const asked = { req: requestOf('/a'), key: 'k', address: '/a', sent: () => [], askedAtMs: 1 };
    const landings: string[] = [];
    const limits = { seconds: 60, staleSeconds: 0, maxAnswerBytes: 100 };
    const recording = new Recording(asked, store, limits, (landing) => void landings.push(landing));
    recording.begin(200, {});
    for (const text of ['ab', 'c']) recording.data(Buffer.from(text));
    recording.end();
    const body = store.get('k')?.answer.body;
    expect([landings, body?.toString(), body?.buffer.byteLength]).to.deep.equal([['kept'], 'abc', 3]);
  });

  it('has one address for all backends that a split may choose', () => {
    expect(addressOf(requestOf('/a', 'canary'))).to.equal(addressOf(requestOf('/a')));
    expect(addressOf(requestOf('/a'))).to.not.equal(addressOf(requestOf('/b')));
  });
});
