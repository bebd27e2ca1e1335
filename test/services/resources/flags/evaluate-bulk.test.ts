/** What an answer about all flags carries: at most half a megabyte of payloads, in the order of the keys, and the same answer again for nothing. */
import { expect } from 'chai';
import fc from 'fast-check';
import { compileFlags, type FlagsByKey } from '../../../../services/resources/flags/compile-flags.ts';
import { evaluateBulk, MAX_PAYLOAD_BYTES } from '../../../../services/resources/flags/evaluate-bulk.ts';
import { evaluateFlag } from '../../../../services/resources/flags/evaluate-flag.ts';
import { bulkQuerySchema } from '../../../../services/resources/flags/evaluation-query.ts';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import type { Flag } from '../../../../services/shared/model/flag.ts';
import { flagOf } from '../../../support/flag-verdicts.ts';
import {
  KEY_CALLER,
  type ResourcesService,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const asked = (caller: object = {}) => bulkQuerySchema.parse({ clientId: 'x', ...caller });
const compiled = (flags: Flag[]): FlagsByKey =>
  compileFlags({ flags, groups: new Map() }).get(null) ?? new Map();
const answered = (flags: FlagsByKey, caller: object = {}) =>
  JSON.parse(evaluateBulk(flags, asked(caller)).bytes.toString());

/** A payload of so many bytes of JSON, of characters that take several. */
const payloadOf = (bytes: number) => 'é'.repeat((bytes - 2) / 2);
const keyOf = (n: number) => `f${String(n).padStart(4, '0')}`;
const flagsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) =>
    flagOf(keyOf(n), { payload: payloadOf(bytes), defaultValue: true }),
  );

describe('the answer about all flags', () => {
  it('carries payloads of 524,288 bytes together, and of the others tells that they are omitted', () => {
    const shuffled = flagsOf(40, 16_384).reverse();
    const { flags, count, payloadsOmitted } = answered(compiled(shuffled));
    expect(count).to.equal(40);
    expect(Object.keys(flags)).to.deep.equal(Array.from({ length: 40 }, (_, n) => keyOf(n)));
    const omitted = Array.from({ length: 8 }, (_, n) => keyOf(32 + n));
    expect(payloadsOmitted).to.deep.equal(omitted);
    for (const [key, verdict] of Object.entries(flags)) {
      const on = { enabled: true, value: true, reason: 'BOOLEAN_DEFAULT' };
      expect(verdict).to.deep.equal(
        omitted.includes(key)
          ? { ...on, payload: null, payloadOmitted: true }
          : { ...on, payload: payloadOf(16_384) },
      );
    }
  });

  it('carries what fits to the byte', () => {
    const fitting = [
      ...flagsOf(31, 16_384),
      flagOf('last', { payload: payloadOf(16_384), defaultValue: true }),
    ];
    expect(answered(compiled(fitting))).to.not.have.property('payloadsOmitted');
    const beyond = [
      ...flagsOf(31, 16_384),
      flagOf('last', { payload: payloadOf(16_386), defaultValue: true }),
    ];
    expect(answered(compiled(beyond)).payloadsOmitted).to.deep.equal(['last']);
  });

  it('carries none behind the first that does not fit, whatever its size, and counts none of a flag that is off', () => {
    const flags = [
      ...Array.from({ length: 40 }, (_, n) => flagOf(`a-off-${n}`, { payload: payloadOf(16_384) })),
      ...flagsOf(33, 16_384),
      flagOf('z-small', { payload: 1, defaultValue: true }),
      flagOf('z-none', { defaultValue: true }),
    ];
    const { flags: verdicts, payloadsOmitted } = answered(compiled(flags));
    expect(payloadsOmitted).to.deep.equal([keyOf(32), 'z-small']);
    expect(verdicts['z-none']).to.deep.equal({
      ...{ enabled: true, value: true, payload: null, reason: 'BOOLEAN_DEFAULT' },
    });
    expect(verdicts['a-off-0']).to.not.have.property('payloadOmitted');
  });

  it('has the same bound for keys that are named, in the order of the keys and not of the asking', () => {
    const flags = compiled(flagsOf(60, 16_384));
    const keys = Array.from({ length: 40 }, (_, n) => keyOf(59 - n));
    const { flags: verdicts, count, payloadsOmitted } = answered(flags, { keys: keys.join(',') });
    expect(count).to.equal(40);
    expect(Object.keys(verdicts)).to.deep.equal([...keys].sort());
    expect(payloadsOmitted).to.deep.equal(Array.from({ length: 8 }, (_, n) => keyOf(52 + n)));
    expect(answered(flags, { keys: keyOf(59) }).flags[keyOf(59)].payload).to.equal(payloadOf(16_384));
  });

  it('is the same bytes again while no verdict changes, and another answer when one does', () => {
    const flags = compiled([
      ...flagsOf(3, 100),
      flagOf('share', { type: 'rollout', rolloutPercentage: 50, payload: 'p' }),
    ]);
    const first = evaluateBulk(flags, asked({ userId: 'u0' }));
    const kinds = new Set<string>();
    for (let n = 0; n < 40; n++) {
      const { bytes, etag } = evaluateBulk(flags, asked({ userId: `u${n}` }));
      kinds.add(`${etag} ${JSON.parse(bytes.toString()).flags.share.enabled}`);
    }
    expect(kinds.size).to.equal(2);
    const again = evaluateBulk(flags, asked({ userId: 'u0' }));
    expect(again.etag).to.equal(first.etag);
    expect(evaluateBulk(flags, asked({ userId: 'u0' })).bytes).to.equal(again.bytes);
  });

  it('says of any flags and callers what each verdict by itself says', () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Flag['payload']>;
    const variant = fc.record({
      key: fc.constantFrom('a', 'b', '__proto__'),
      value: json,
      type: fc.constant('json' as const),
    });
    const flag = fc.record({
      key: fc.constantFrom('a', '__proto__', '10', '9', 'toString', 'b-1'),
      type: fc.constantFrom('boolean' as const, 'rollout' as const, 'multivariant' as const),
      defaultValue: fc.boolean(),
      payload: json,
      rolloutPercentage: fc.nat(100),
      variants: fc.uniqueArray(variant, { selector: ({ key }) => key, maxLength: 3 }),
    });
    const callers = fc.array(fc.record({ userId: fc.string({ minLength: 1, maxLength: 4 }) }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.uniqueArray(flag, { selector: ({ key }) => key }), callers, (given, asking) => {
        const flags = compiled(given.map(({ key, ...rest }) => flagOf(key, rest)));
        for (const caller of asking) {
          const said = answered(flags, caller).flags;
          expect(Object.keys(said).length).to.equal(flags.size);
          for (const [key, each] of flags) {
            const alone = evaluateFlag(each, { ...caller, properties: {} });
            const told = Object.getOwnPropertyDescriptor(said, key)?.value;
            expect(told).to.deep.equal(JSON.parse(JSON.stringify(alone)));
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('an attack by way of all flags', () => {
  let service: ResourcesService;
  before(async () => {
    service = await startResourcesService();
    for (const { version: _v, createdAt: _c, updatedAt: _u, ...flag } of flagsOf(1_000, 4_000)) {
      await service.documents.flags.insert(flag);
    }
  });
  after(() => service?.close());
  const ask = (query: string) => service.ask(PUBLIC_CALLER, 'GET', `/public/v1/flags/${query}`);

  it('gets at most half a megabyte of payloads for its two hundred bytes', async () => {
    const { body } = await ask('bulk?clientId=org_one&userId=u');
    expect(body.count).to.equal(1_000);
    const carried = Object.values(body.flags as Record<string, { payload: unknown }>).filter(
      ({ payload }) => payload !== null,
    );
    expect(carried.length).to.equal(Math.floor(MAX_PAYLOAD_BYTES / 4_000));
    expect(body.payloadsOmitted.length).to.equal(1_000 - carried.length);
    expect(JSON.stringify(body).length).to.be.below(700_000);
  });

  it('names at most 100 keys', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, n) => keyOf(n)).join();
    const answer = await ask(`bulk?clientId=org_one&keys=${keys(101)}`);
    expect(answer.status).to.equal(400);
    expect(answer.body.details).to.deep.equal([{ field: 'keys', message: 'Name at most 100 keys.' }]);
    // One that stands twice is one.
    expect((await ask(`bulk?clientId=org_one&keys=${keys(100)},${keyOf(0)},,`)).body.count).to.equal(100);
  });

  it('gets the payload of each flag from that flag, as before', async () => {
    const { body } = await ask(`evaluate?clientId=org_one&key=${keyOf(999)}`);
    expect(body.payload).to.equal(payloadOf(4_000));
  });

  it('sees a new payload at the next call', async () => {
    const first = (await ask(`bulk?clientId=org_one&keys=${keyOf(0)}`)).body.flags[keyOf(0)];
    expect(first.payload).to.equal(payloadOf(4_000));
    const path = `/v1/flags/flg_${keyOf(0)}`;
    expect((await service.ask(KEY_CALLER, 'PATCH', path, { body: { payload: 'new' } })).status).to.equal(200);
    for (const query of [`bulk?clientId=org_one&keys=${keyOf(0)}`, 'bulk?clientId=org_one'])
      expect((await ask(query)).body.flags[keyOf(0)].payload).to.equal('new');
  });
});
