/** What the form of a key tells the API: what is missing, by its step, and nothing of what did not change. */
import { expect } from 'chai';
import {
  accessOf,
  changesOf,
  faultsOf,
  stepOfField,
} from '../../../../../../services/dashboard/client/screens/keys/wishes.ts';
import type { ApiKeyView } from '../../../../../../services/resources/api-keys/schema.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const KEY = {
  name: 'Shop',
  scopes: ['read:data', 'track:events'],
  access: { level: 'website', websiteIds: ['web_a', 'web_b'] },
  expiresAt: '2026-11-30T08:15:00.000Z',
} as unknown as ApiKeyView;
const SAME = {
  name: 'Shop',
  expiry: { choice: 'date' as const, date: '2026-11-30' },
  scopes: ['track:events', 'read:data'] as const,
  reach: { level: 'website' as const, websiteIds: ['web_b', 'web_a'] },
};
const changes = (difference: object) => changesOf(KEY, { ...SAME, ...difference }, 'UTC', NOW);
const faults = (difference: object) => faultsOf({ ...SAME, ...difference }, 'UTC', NOW);

describe('the form of an API key', () => {
  it('misses nothing when all is there', () => {
    expect(faults({})).to.deep.equal({ name: {}, scopes: {}, websites: {} });
    expect(faults({ reach: { level: 'global', websiteIds: [] } }).websites).to.deep.equal({});
  });

  it('says in each step what is missing', () => {
    expect(faults({ name: '  ' }).name).to.deep.equal({ name: 'nameMissing' });
    expect(faults({ name: 'x'.repeat(101) }).name).to.deep.equal({ name: 'nameMissing' });
    expect(faults({ expiry: { choice: 'date', date: '' } }).name).to.deep.equal({
      expiresAt: 'lastDayMissing',
    });
    expect(faults({ scopes: [] }).scopes).to.deep.equal({ scopes: 'scopesMissing' });
    expect(faults({ reach: { level: 'website', websiteIds: [] } }).websites).to.deep.equal({
      access: 'websitesMissing',
    });
  });

  it('knows which step asks for a field that the API refuses', () => {
    expect(
      ['name', 'expiresAt', 'scopes[2]', 'access.websiteIds[0]', 'access', 'body'].map(stepOfField),
    ).to.deep.equal(['name', 'name', 'scopes', 'websites', 'websites', null]);
  });

  it('tells the API nothing when nothing changed, whatever the order of ticking', () => {
    expect(changes({})).to.deep.equal({});
    expect(changes({ name: ' Shop ' })).to.deep.equal({});
  });

  it('tells it only what changed', () => {
    expect(changes({ name: 'Blog' })).to.deep.equal({ name: 'Blog' });
    expect(changes({ expiry: { choice: 'never', date: '2026-11-30' } })).to.deep.equal({ expiresAt: null });
    expect(changes({ expiry: { choice: 'date', date: '2026-12-01' } })).to.deep.equal({
      expiresAt: '2026-12-01T23:59:59.000Z',
    });
    expect(changes({ scopes: ['read:data'] })).to.deep.equal({ scopes: ['read:data'] });
    expect(changes({ reach: { level: 'website', websiteIds: ['web_a'] } })).to.deep.equal({
      access: { level: 'website', websiteIds: ['web_a'] },
    });
  });

  it('leaves out the websites that were chosen before all were', () => {
    expect(changes({ reach: { level: 'global', websiteIds: ['web_a'] } })).to.deep.equal({
      access: { level: 'global' },
    });
    expect(accessOf({ level: 'global', websiteIds: ['web_a'] })).to.deep.equal({ level: 'global' });
  });
});
