/** What each scope opens, in words: the one table, for roles, keys and sessions alike. */
export const scopes = {
  'read:data': 'Read reports and the list of websites',
  'track:events': 'Send events',
  'read:links': 'See short links and their clicks',
  'write:links': 'Create, change and delete short links',
  'manage:websites': 'Create, change and delete websites, and erase visitors',
  'manage:flags': 'Manage feature flags and target groups',
  'manage:config': 'Change the organization and its integrations',
};
