/** API suites that only an embedded server can run, each with the reason. All others run in both modes. */
export const EMBEDDED_SUITES: Readonly<Record<string, string>> = {
  cleanup: 'reads the files of the stores, and kills the server between two steps of its work',
  'full-disk': 'fills the disk on which the files of the stores lie',
  identity: "asks the server's own loopback services, and replaces its secrets file",
  'link-life': 'moves the clock',
  log: 'reads what the server logs in its process',
};
