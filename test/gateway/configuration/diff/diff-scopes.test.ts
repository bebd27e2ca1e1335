/** What changes at scopes and roles, against a table worked out by hand. */
import { type Pair, pairCases } from '../../../support/configuration-pairs.ts';

const PAIRS: readonly Pair[] = [
  {
    title: 'a role that gains a scope',
    edits: [
      ['gateway', '  viewer: [read:data, read:links]', '  viewer: [read:data, read:links, track:events]'],
    ],
    changes: [
      [
        'changed role viewer',
        ['scopes: read:data, read:links → read:data, read:links, track:events'],
        ['gains track:events'],
      ],
    ],
  },
];

describe('the difference of scopes and roles', () => {
  pairCases(PAIRS);
});
