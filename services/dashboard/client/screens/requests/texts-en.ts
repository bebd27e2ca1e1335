/** What was asked over time, in English. */
import { plural } from '../../texts/format.ts';

export const en = {
  title: 'Requests over time',
  lead: 'What keys and people of the organization asked, and what became of it. Looking takes nothing from the plan.',
  limitsNow: 'Limits now',
  range: 'Time',
  ranges: { hour: 'Last hour', day: 'Last 24 hours', month: 'Last 30 days' },
  by: 'By',
  groups: {
    outcome: 'Outcome',
    limit: 'Limit that refused',
    endpoint: 'Endpoint',
    key: 'Key',
    plans: 'Larger plans',
  },
  outcomes: {
    ok: 'Answered',
    limited: 'Refused by a limit',
    client_error: 'Refused for another reason',
    server_error: 'Failed',
    aborted: 'Left before the answer',
  },
  requests: 'Requests',
  share: 'Share',
  overTime: 'Over time',
  inWords: (requests: number) => `${plural(requests, 'request', 'requests')} over time`,
  sessions: 'People, by a session',
  unnamed: 'Others',
  none: 'Nothing was asked in this time.',
  noneRefused: 'No limit refused a request in this time.',
  moreRows: (rows: number) => `${plural(rows, 'further row is', 'further rows are')} not shown.`,
  hint: 'The last seconds may be missing. Requests without a valid credential are in no count.',
  plan: 'Plan',
  numbers: { per10Seconds: 'In 10 s', perMinute: 'In a minute', perDay: 'In a day', perMonth: 'In a month' },
  noQuota: 'no quota',
  admitted: 'Would have admitted at least',
  ofRefused: (admitted: string, refused: string) => `${admitted} of ${refused}`,
  refusedByPlan: (refused: number, minutes: number, range: string) =>
    `${range}: ${plural(refused, 'request', 'requests')} refused, in ${plural(minutes, 'minute', 'different minutes')}, by the plan`,
  noneLarger: 'No plan has larger numbers, or the organization has numbers of its own.',
  plansHint:
    'Counts by minute do not tell when within a minute requests came: so many at least, and perhaps far more. Who asks again after a refusal counts again.',
  link: 'What was asked over time',
};
