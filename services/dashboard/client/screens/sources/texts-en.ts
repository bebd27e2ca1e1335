/** Where visits of a website come from, in English. */

export const en = {
  tabs: {
    channels: 'Channels',
    sources: 'Sources',
    referrers: 'Referring hosts',
    campaigns: 'Campaigns',
    entries: 'Entry pages',
  },
  names: {
    channels: 'Channel',
    sources: 'Source',
    referrers: 'Host',
    campaigns: 'Value',
    entries: 'Entry page',
  },
  lists: {
    channels: 'Ways by which sessions came, such as search or email, by their first page.',
    sources: 'The utm_source of the first page of each session, or else the host that led to it.',
    referrers: 'Other websites whose links led to a session.',
    campaigns: 'What the link to the first page of each session said. Unknown: it said nothing.',
    entries: 'The first page of each session.',
  },
  part: 'Part of the campaign',
  goal: 'Goal',
  noGoal: 'none',
};
