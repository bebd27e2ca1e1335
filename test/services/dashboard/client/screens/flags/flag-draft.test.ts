/** The form of a flag: what is sent is what differs, and a new flag says no more than what was filled in. */
import { expect } from 'chai';
import type { FlagView } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  type FlagDraft,
  flagChangesOf,
  flagDraftOf,
  isFlagSendable,
  NEW_FLAG,
  newFlagOf,
  ROLLOUT_BY,
  STATUSES,
  TYPES,
} from '../../../../../../services/dashboard/client/screens/flags/flag-draft.ts';
import {
  groupChangesOf,
  groupDraftOf,
  NEW_GROUP,
  newGroupOf,
} from '../../../../../../services/dashboard/client/screens/flags/group-draft.ts';
import {
  FLAG_DEFAULTS,
  flagChangesSchema,
  flagInputSchema,
} from '../../../../../../services/resources/flags/schema.ts';
import {
  TARGET_GROUP_DEFAULTS,
  targetGroupInputSchema,
} from '../../../../../../services/resources/target-groups/schema.ts';
import { FLAG_STATUSES, FLAG_TYPES, ROLLOUT_SUBJECTS } from '../../../../../../services/shared/model/flag.ts';

const FLAG: FlagView = {
  id: 'flg_1',
  organizationId: 'org_1',
  websiteId: 'web_1',
  key: 'checkout',
  name: 'Checkout',
  description: 'New',
  type: 'rollout',
  status: 'active',
  defaultValue: false,
  payload: { columns: 2 },
  rolloutPercentage: 25,
  rolloutBy: 'team',
  rules: [{ type: 'email', operator: 'ends_with', value: '@example.com', enabled: true }],
  variants: [{ key: 'a', type: 'string', value: 'x', weight: 100 }],
  dependencies: ['base'],
  environment: 'staging',
  targetGroupIds: ['tgt_1'],
  createdBy: 'usr_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const BEFORE = flagDraftOf(FLAG);
const change = (edits: Partial<FlagDraft>) => flagChangesOf(BEFORE, { ...BEFORE, ...edits });

describe('the draft of a flag', () => {
  it('offers what the API has', () => {
    expect([TYPES, STATUSES, ROLLOUT_BY]).to.deep.equal([FLAG_TYPES, FLAG_STATUSES, ROLLOUT_SUBJECTS]);
  });

  it('sends nothing when nothing differs, spaces in JSON included', () => {
    expect(change({})).to.equal(null);
    expect(change({ payload: '{"columns":2}', rolloutPercentage: '25,0' })).to.equal(null);
  });

  const cases: [string, Partial<FlagDraft>, object][] = [
    ['a share', { rolloutPercentage: '12,5' }, { rolloutPercentage: 12.5 }],
    ['an emptied payload', { payload: ' ' }, { payload: null }],
    ['an emptied environment', { environment: '' }, { environment: null }],
    ['rules that are gone', { rules: [] }, { rules: [] }],
    [
      'another order of groups',
      { targetGroupIds: ['tgt_2', 'tgt_1'] },
      { targetGroupIds: ['tgt_2', 'tgt_1'] },
    ],
    ['another kind', { type: 'boolean', defaultValue: true }, { type: 'boolean', defaultValue: true }],
  ];
  for (const [name, edits, expected] of cases) {
    it(`sends ${name} alone, in the form that the API takes`, () => {
      const changes = change(edits);
      expect(changes).to.deep.equal(expected);
      expect(flagChangesSchema.safeParse(changes).success).to.equal(true);
    });
  }

  it('begins a new flag with what the API takes where nothing is said', () => {
    const { description, type, status, defaultValue, rolloutPercentage, rolloutBy } = FLAG_DEFAULTS;
    expect(NEW_FLAG).to.include({ description, type, status, defaultValue, rolloutBy });
    expect(NEW_FLAG.rolloutPercentage).to.equal(String(rolloutPercentage));
    expect(newFlagOf({ ...NEW_FLAG, key: 'new' })).to.deep.equal({ key: 'new' });
    expect(NEW_GROUP).to.include(TARGET_GROUP_DEFAULTS);
  });

  it('sends a new flag of a website, and leaves one that is still to be chosen to be refused', () => {
    const input = newFlagOf({ ...NEW_FLAG, key: 'new', websiteId: 'web_1', name: 'New' });
    expect(input).to.deep.equal({ key: 'new', websiteId: 'web_1', name: 'New' });
    expect(flagInputSchema.safeParse(input).success).to.equal(true);
    const unchosen = newFlagOf({ ...NEW_FLAG, key: 'new', websiteId: '' });
    expect(flagInputSchema.safeParse(unchosen).success).to.equal(false);
  });

  it('cannot be sent while its payload is no JSON', () => {
    expect(isFlagSendable({ ...BEFORE, payload: '{' })).to.equal(false);
    expect(isFlagSendable({ ...BEFORE, payload: '' })).to.equal(true);
  });
});

describe('the draft of a target group', () => {
  it('sends a whole new one, and of one that there is what differs', () => {
    const input = newGroupOf({ ...NEW_GROUP, name: 'Beta' });
    expect(targetGroupInputSchema.safeParse(input).success).to.equal(true);
    const before = groupDraftOf({ ...FLAG, name: 'Beta', color: '#112233' });
    expect(groupChangesOf(before, before)).to.equal(null);
    expect(groupChangesOf(before, { ...before, color: '#445566' })).to.deep.equal({ color: '#445566' });
  });
});
