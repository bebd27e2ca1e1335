/** Every refusal of a field that a form of the dashboard sends has German words: the services' own schemas say the sentences. */
import { expect } from 'chai';
import type { z } from 'zod';
import { passwordRoute } from '../../../../../../plugins/auth/session/change-password.ts';
import { changeUserRoute } from '../../../../../../plugins/auth/session/change-user.ts';
import { refusal } from '../../../../../../services/dashboard/client/texts/de/refusal.ts';
import { createJudgeShare } from '../../../../../../services/query/shares/judge-share.ts';
import { judgeApiKey } from '../../../../../../services/resources/api-keys/judge-api-key.ts';
import { flagChangesSchema, flagInputSchema } from '../../../../../../services/resources/flags/schema.ts';
import { funnelFieldsSchema } from '../../../../../../services/resources/funnels/schema.ts';
import { goalFaults, goalFieldsSchema } from '../../../../../../services/resources/goals/schema.ts';
import { judgeFields } from '../../../../../../services/resources/judge-fields.ts';
import { judgeLink } from '../../../../../../services/resources/links/judge-link.ts';
import { linkChangesSchema, linkInputSchema } from '../../../../../../services/resources/links/schema.ts';
import {
  invitationInputSchema,
  roleInputSchema,
} from '../../../../../../services/resources/members/schema.ts';
import { ownOrganizationChangesSchema } from '../../../../../../services/resources/organizations/schema.ts';
import { judgeWebsite } from '../../../../../../services/resources/websites/judge-website.ts';
import {
  websiteChangesSchema,
  websiteInputSchema,
} from '../../../../../../services/resources/websites/schema.ts';
import { SHIPPED_CATALOGUE } from '../../../../../../services/shared/access/scope-catalogue.ts';
import { ApiError } from '../../../../../../services/shared/errors/api-error.ts';
import { parseOrThrow } from '../../../../../../services/shared/errors/zod-details.ts';

type Said = { readonly field: string; readonly message: string };

/** What the API says of a body that it refuses. */
async function refused(judge: () => unknown): Promise<readonly Said[]> {
  try {
    await judge();
  } catch (fault) {
    if (fault instanceof ApiError) return fault.details ?? [];
    throw fault;
  }
  throw new Error('the body was not refused');
}
const by = (schema: z.ZodType, body: unknown) => refused(() => parseOrThrow(schema, body));

const LONG = 'x'.repeat(300);
const LONGER = 'x'.repeat(2_100);
const STEP = { type: 'page', match: { op: 'eq', value: '/' } } as const;
const GOAL = { name: 'x', ...STEP };
const clock = { now: () => Date.parse('2026-11-23T00:00:00Z') };
const ports = {
  clock,
  documents: { websitesOf: () => Promise.resolve([]), websites: {} },
  scopes: () => SHIPPED_CATALOGUE,
} as never;
const key = (body: object) => refused(() => judgeApiKey(ports, 'input', 'org', body));
const link = (schema: z.ZodType, body: object) =>
  refused(() => judgeLink(schema, body, (slug) => slug === 'track'));
const GOOD_KEY = { name: 'x', scopes: ['read:data'], access: { level: 'global' } };

/** What a form of a flag may send. */
const flag = (body: object) => Promise.resolve(judgeFields(flagChangesSchema, body).faults);
const MANY = Array.from({ length: 1_001 }, () => 'x');
const rule = (given: object) => ({ type: 'user_id', operator: 'equals', enabled: true, ...given });
const variant = (given: object) => ({ key: 'a', type: 'string', value: '', ...given });

/** What each form of the pages may send, and what is refused in it. */
const CASES: Readonly<Record<string, () => Promise<readonly Said[]>>> = {
  'a new website': () => refused(() => judgeWebsite(websiteInputSchema, { name: '', domain: 'a b' })),
  'a new website without a word': () => refused(() => judgeWebsite(websiteInputSchema, {})),
  'the settings of a website': () =>
    refused(() =>
      judgeWebsite(websiteChangesSchema, {
        name: LONG,
        domain: `"${LONG}`,
        isPublic: 'x',
        settings: {
          allowedOrigins: ['nonsense'],
          timezone: 'Nowhere/None',
          keylessBytesPerDay: 0,
          keylessTracking: 'x',
        },
      }),
    ),
  'a text in place of a number': () =>
    refused(() => judgeWebsite(websiteChangesSchema, { settings: { keylessBytesPerDay: 'many' } })),
  'a key': () =>
    key({ name: LONG, scopes: [], access: { level: 'website', websiteIds: [] }, expiresAt: 'x' }),
  'a key that has ended': () => key({ ...GOOD_KEY, expiresAt: '2020-01-01T00:00:00Z' }),
  'a key with repeated scopes': () => key({ ...GOOD_KEY, scopes: ['read:data', 'read:data'] }),
  'a new link without a word': () => link(linkInputSchema, { name: '', targetUrl: '' }),
  'a new link without anything': () => link(linkInputSchema, {}),
  'a reserved slug': () => link(linkChangesSchema, { slug: 'track' }),
  'every field of a link': () =>
    link(linkChangesSchema, {
      ...{ slug: '!', name: LONG, websiteId: LONG, expiresAt: 'soon', tags: [LONG] },
      ...{
        targetUrl: 'javascript:x',
        expiredRedirectUrl: 'x',
        iosUrl: 'x',
        androidUrl: 'x',
        ogImageUrl: 'x',
      },
      ...{ ogTitle: LONG, ogDescription: 'x'.repeat(600) },
    }),
  'too many tags': () => link(linkChangesSchema, { tags: Array.from({ length: 21 }, (_, tag) => `${tag}`) }),
  'the organization': () => by(ownOrganizationChangesSchema, { name: LONG, slug: '!', timezone: '!' }),
  'the organization without a name': () => by(ownOrganizationChangesSchema, { name: '' }),
  'an invitation': () => by(invitationInputSchema, { email: 'nobody', role: 'nothing' }),
  'an invitation of a long address': () =>
    by(invitationInputSchema, {
      email: `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example.com`,
      role: 'owner',
    }),
  'another role': () => by(roleInputSchema, { role: 'nothing' }),
  'a short password': () => by(passwordRoute.body?.schema as z.ZodType, { current: '', new: 'short' }),
  'a long password': () => by(passwordRoute.body?.schema as z.ZodType, { current: 'x', new: LONG }),
  'a name of nothing': () => by(changeUserRoute.body?.schema as z.ZodType, { name: ' ' }),
  'a long name': () => by(changeUserRoute.body?.schema as z.ZodType, { name: LONG }),
  'a flag': () =>
    flag({ name: '', environment: '!', rolloutPercentage: 'many', payload: 'x'.repeat(16_384) }),
  'a new flag': () => Promise.resolve(judgeFields(flagInputSchema, { key: '!' }).faults),
  'a share of too much': () => flag({ rolloutPercentage: 101 }),
  'a share of too little': () => flag({ rolloutPercentage: -1 }),
  'a payload with a name that stores drop': () => flag({ payload: JSON.parse('{"__proto__": 1}') }),
  rules: () =>
    flag({
      rules: [
        rule({}),
        rule({ value: LONG }),
        rule({ operator: 'in' }),
        rule({ batch: true }),
        rule({ operator: 'in', values: MANY }),
        rule({ type: 'property', field: '', value: 'x' }),
        rule({ type: 'property', value: 'many' }),
        rule({ type: 'property', value: 101 }),
      ],
    }),
  'rules with too many values': () =>
    flag({ rules: MANY.slice(0, 11).map(() => rule({ operator: 'in', values: MANY.slice(1) })) }),
  variants: () =>
    flag({
      variants: [variant({ key: '' }), variant({ type: 'number', weight: 'half' }), variant({ weight: 101 })],
    }),
  'variants of which one lacks a weight': () =>
    flag({ variants: [variant({}), variant({ type: 'number', weight: 1 })] }),
  'a goal': () =>
    by(goalFieldsSchema, {
      ...{ name: LONG, type: 'page', match: { op: 'eq', value: '' }, revenueProperty: '', currency: 'X' },
      conditions: [
        { field: 'properties.', op: 'eq', value: LONGER },
        { field: `properties.${LONG}`, op: 'gt', value: 'much' },
        { field: 'properties.a', op: 'in', value: [] },
        { field: 'properties.a', op: 'matches', value: '(' },
      ],
    }),
  'goals with lists and patterns that are too long': async () => [
    ...(await by(goalFieldsSchema, {
      ...GOAL,
      match: { op: 'in', value: Array.from({ length: 101 }, () => 'a') },
    })),
    ...(await by(goalFieldsSchema, { ...GOAL, match: { op: 'matches', value: LONG } })),
  ],
  'a currency of nothing': async () => goalFaults({ ...GOAL, currency: 'EUR' }),
  'a funnel': () =>
    by(funnelFieldsSchema, {
      ...{
        name: '',
        steps: [{ name: LONG, ...STEP }],
        windowSeconds: 'soon',
        exclude: { ...STEP, match: { op: 'in', value: [] } },
      },
    }),
  'times of a funnel': async () => [
    ...(await by(funnelFieldsSchema, { name: 'x', steps: [STEP, STEP], windowSeconds: 1.5 })),
    ...(await by(funnelFieldsSchema, { name: 'x', steps: [STEP, STEP], windowSeconds: 0 })),
    ...(await by(funnelFieldsSchema, { name: 'x', steps: [STEP, STEP], windowSeconds: 7_776_001 })),
  ],
  'datasets of a share': () =>
    Promise.resolve(
      createJudgeShare(clock as never)(['sessions', 'sumary', 'qqqqqqqqqq'], { preset: 'today' }),
    ),
  'weights of too little': () => flag({ variants: [variant({ weight: 2.5 })] }),
};

describe('refusals in German', () => {
  for (const [what, refusals] of Object.entries(CASES)) {
    it(`there are words for ${what}`, async () => {
      const said = await refusals();
      expect(said).not.to.have.length(0);
      const unknown = said.filter(({ message }) => refusal(message) === undefined);
      expect(unknown, 'sentences without German words').to.deep.equal([]);
    });
  }

  it('tell of flags what only the others decide', () => {
    for (const sentence of [
      'Allowed: at least one for a flag of type multivariant.',
      'There is no flag "base" among those of the organization.',
      'There is no flag "base" among those of this website and of its organization.',
      'There is no target group "tgt_1".',
      'They close a circle: a → b → a.',
      'The organization has a flag "base" already.',
      'The website "web_1" has a flag "base" already.',
      'The flag "base" cannot be deleted: these flags depend on it: top, new (web_1) and 2 more.',
      'The target group "Beta" cannot be deleted: these flags use it: top.',
      'The flag "flg_1" is being changed by somebody else; try again.',
    ]) {
      expect(refusal(sentence), sentence).to.be.a('string');
    }
  });

  it('keep what was typed as it is, and say what is allowed', () => {
    expect(refusal('Came "a b". Allowed: a text of 1 to 100 characters.')).to.equal(
      'Eingegeben: "a b". Erlaubt: ein Text von 1 bis 100 Zeichen.',
    );
    expect(refusal('This is missing. Allowed: a text of 1 to 100 characters.')).to.equal(
      'Das fehlt. Erlaubt: ein Text von 1 bis 100 Zeichen.',
    );
    expect(refusal('Another website of the organization has the domain "a.example".')).to.equal(
      'Eine andere Website der Organisation hat die Domain „a.example“.',
    );
    expect(refusal('The slug "sale" is taken; choose another one.')).to.equal(
      'Der Kurzname „sale“ ist vergeben. Wählen Sie einen anderen.',
    );
  });

  it('are absent for a sentence that is not known as a whole, which stays English then', () => {
    for (const sentence of [
      '',
      'Something new.',
      'Something new. Allowed: a text.',
      'Allowed: a text. And more.',
    ]) {
      expect(refusal(sentence), sentence).to.equal(undefined);
    }
  });
});
