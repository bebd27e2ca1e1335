/** Every refusal of a field that a form of the dashboard sends has German words: the services' own schemas say the sentences. */
import { expect } from 'chai';
import type { z } from 'zod';
import { passwordRoute } from '../../../../../../plugins/auth/session/change-password.ts';
import { changeUserRoute } from '../../../../../../plugins/auth/session/change-user.ts';
import { refusal } from '../../../../../../services/dashboard/client/texts/de/refusal.ts';
import { judgeApiKey } from '../../../../../../services/resources/api-keys/judge-api-key.ts';
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
const ports = {
  clock: { now: () => Date.parse('2026-11-23T00:00:00Z') },
  documents: { websitesOf: () => Promise.resolve([]), websites: {} },
  scopes: () => SHIPPED_CATALOGUE,
} as never;
const key = (body: object) => refused(() => judgeApiKey(ports, 'input', 'org', body));
const GOOD_KEY = { name: 'x', scopes: ['read:data'], access: { level: 'global' } };

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
