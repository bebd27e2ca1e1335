/** A new website, and the settings of one. */
export const website = {
  domain: 'Domain',
  domainHint: 'A host such as shop.example.com, or paste the address of a page: only its host is kept.',
  create: {
    title: 'New website',
    steps: ['Name and domain', 'Tracking snippet and first event'],
    nameHint: 'Shown in this dashboard. If empty, the domain is shown.',
    submit: 'Create website',
  },
  installation: {
    title: 'Tracking',
    snippet: 'Put this line into the <head> of every page:',
    snippetName: 'Tracking snippet',
    origins: 'It works on pages of this domain and its subdomains:',
    server: 'Send events from a server',
    curlName: 'curl line',
  },
  waiting: {
    title: 'First event',
    waiting: 'Waiting for the first event …',
    received: 'First event received.',
    stopped: 'No event yet. This page has stopped looking.',
    again: 'Look again',
    open: 'Open the overview',
    hint: 'Open a page that has the snippet. If nothing arrives within a few seconds:',
    reasons: [
      'Is the page on the domain of the website? Events from other origins, http://localhost:3000 too, are refused until you allow them in the settings.',
      'Does the browser send Do Not Track, or block trackers? Then nothing is sent.',
      'Does the page have a Content-Security-Policy? It must allow the address of this dashboard in script-src and connect-src.',
    ],
    settings: 'Settings of the website',
  },
  settings: {
    title: 'Website settings',
    overview: 'Overview',
    general: 'General',
    tracking: 'Collection',
    timezone: 'Time zone',
    timezoneHint:
      'For your own tools, such as Europe/Berlin. These pages show times in the organization’s zone.',
    isPublic: 'Public',
    isPublicHint: 'A mark that your own tools can read through the API. It publishes nothing by itself.',
    keylessTracking: 'Accept events without an API key',
    keylessTrackingHint:
      'What pages with the tracking snippet send. Off: only servers with a key send events.',
    allowedOrigins: 'Other allowed origins',
    allowedOriginsHint:
      'Pages of the domain and its subdomains may always send. List other origins here, one per line: https://app.example.com, http://localhost:3000',
    honorPrivacySignals: 'Honour privacy signals',
    honorPrivacySignalsHint:
      'Nothing is stored from browsers that send Do Not Track or Global Privacy Control, not even a click on a short link.',
    pageviewAliases: 'Count other names of a pageview',
    pageviewAliasesHint:
      'Events called pageview, page_view or $pageview count as pageviews when they have a path. Off: they are custom events.',
    keylessMegabytes: 'Daily limit without a key, in MB',
    keylessMegabytesHint:
      'What events without a key may take up in a day (UTC), 1 MB being a million bytes. More is refused until the day ends. Default: 1,000.',
    keylessMegabytesWrong: 'Type a number above 0 and up to 1,000,000, such as 500 or 1.5.',
    unchanged: 'Nothing was changed.',
    reloaded: 'The current version is loaded. What you changed here is still in the form: save it again.',
    created: (at: string) => `Created ${at}`,
  },
  remove: {
    heading: 'Delete',
    title: 'Delete this website?',
    open: 'Delete website …',
    lead: 'This deletes the website with its events, short links, flags and visitor profiles. It cannot be undone.',
    effects: [
      'At once: its pages can no longer send events, and nobody can open its reports any more.',
      'Within seconds, or minutes when there are many millions of events: the data itself is deleted.',
      'What stays: its audit records, and API keys limited to it, which then reach nothing. Backups keep what they hold.',
    ],
    type: 'To confirm, type',
    typed: 'Name of the website',
    wrong: 'This is not the name.',
    submit: 'Delete website',
  },
};
