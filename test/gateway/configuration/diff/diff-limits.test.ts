/** What changes at plans and limits, against a table worked out by hand. */
import { type Pair, pairCases } from '../../../support/configuration-pairs.ts';

const PAIRS: readonly Pair[] = [
  {
    title: 'a plan that is gone',
    edits: [['plans', '  scale:\n    per10Seconds: 500\n    perMinute: 3000\n', '']],
    changes: [
      [
        'removed plan scale',
        ['per10Seconds: 500 → nothing', 'perMinute: 3000 → nothing'],
        ['organizations on this plan are cut off'],
      ],
    ],
  },
  {
    title: 'a plan in addition',
    edits: [['plans', '  scale:\n', '  team:\n    per10Seconds: 300\n    perMinute: 2000\n  scale:\n']],
    changes: [['added plan team', ['per10Seconds: 300', 'perMinute: 2000'], []]],
  },
  {
    title: 'a plan that admits twice as many',
    edits: [['plans', 'per10Seconds: 50\n    perMinute: 300', 'per10Seconds: 100\n    perMinute: 600']],
    changes: [['changed plan free', ['per10Seconds: 50 → 100', 'perMinute: 300 → 600'], []]],
  },
  {
    title: 'a plan that admits ten times as many',
    edits: [['plans', 'perMinute: 300\n', 'perMinute: 3000\n']],
    changes: [['changed plan free', ['perMinute: 300 → 3000'], ['perMinute is raised 10 times']]],
  },
  {
    title: 'a plan that admits next to nothing',
    edits: [['plans', 'perMinute: 300\n', 'perMinute: 3\n']],
    changes: [['changed plan free', ['perMinute: 300 → 3'], ['perMinute is cut to a 100th part']]],
  },
  {
    title: 'a quota that binds no more',
    before: [['plans', 'perMinute: 300\n', 'perMinute: 300\n    perDay: 5000\n']],
    edits: [],
    changes: [['changed plan free', ['perDay: 5000 → nothing'], ['perDay no longer binds']]],
  },
  {
    title: 'a limit that admits ten times as many in a shorter window',
    edits: [
      [
        'plans',
        '  custom-sql-seconds:\n    limit: 60\n    windowSeconds: 60',
        '  custom-sql-seconds:\n    limit: 120\n    windowSeconds: 10',
      ],
    ],
    changes: [
      [
        'changed limit custom-sql-seconds',
        ['limit: 60 → 120', 'windowSeconds: 60 → 10'],
        ['what it admits per second is raised 12 times'],
      ],
    ],
  },
  {
    title: 'a limit in shadow',
    edits: [
      ['plans', '  custom-sql:\n    limit: 30\n', '  custom-sql:\n    enforce: false\n    limit: 30\n'],
    ],
    changes: [['changed limit custom-sql', ['enforce: true → false'], ['no longer refuses anybody']]],
  },
  {
    title: 'windows that are not counted while the store is down',
    edits: [['plans', 'onStoreFailure: local\n', 'onStoreFailure: open\n']],
    changes: [
      [
        'changed plan windows of every plan',
        ['onStoreFailure: local → open'],
        ['nothing is counted while the counter store is down'],
      ],
    ],
  },
  {
    title: 'a number for one organization',
    edits: [
      [
        'plans',
        '\nplan:\n',
        '\noverrides:\n  - { organization: org_a, limit: custom-sql, max: 90 }\n\nplan:\n',
      ],
    ],
    changes: [['added override custom-sql of org_a', ['max: 90'], []]],
  },
  {
    title: 'an organization that is cut off by its number',
    before: [
      [
        'plans',
        '\nplan:\n',
        '\noverrides:\n  - { organization: org_a, limit: perMinute, max: 9000 }\n\nplan:\n',
      ],
    ],
    edits: [
      [
        'plans',
        '\nplan:\n',
        '\noverrides:\n  - { organization: org_a, limit: perMinute, max: 9 }\n\nplan:\n',
      ],
    ],
    changes: [['changed override perMinute of org_a', ['max: 9000 → 9'], ['max is cut to a 1,000th part']]],
  },
  {
    title: 'fewer documents of an organization',
    edits: [['plans', 'links: 10000', 'links: 20000']],
    changes: [['changed documents of an organization', ['links: 10000 → 20000'], []]],
  },
];

describe('the difference of plans and limits', () => {
  pairCases(PAIRS);
});
