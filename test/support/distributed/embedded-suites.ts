/** API suites that only an embedded server can run, each with the reason. All others run in both modes. */
export const EMBEDDED_SUITES: Readonly<Record<string, string>> = {
  'websites.cleanup.system':
    'reads the files of the stores, and kills the server between two steps of its work',
  'custom-query.fairness.system': 'takes all turns of the one query process',
  'faults.full-disk.system': 'fills the disk on which the files of the stores lie',
  'dashboard.missing': 'reads why a server does not start',
  'ingest.geoip': 'reads what the server logs in its process',
  identity: "asks the server's own loopback services, and replaces its secrets file",
  'ingest.keyless-day': 'uses up the day of a website, and changes what the files of the stores hold',
  'links.life': 'moves the clock',
  'websites.many': 'provisions an organization of its own',
  'planted-secrets': 'reads what the server logs in its process',
  log: 'reads what the server logs in its process',
};
