/** Starts stock express-gateway on the configuration beside this file; PORT and UPSTREAM_URL are read by that configuration. */
const gateway = require('express-gateway');

gateway()
  .load(__dirname)
  .run()
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
// An orderly end, so that a CPU profile is written.
process.on('SIGTERM', () => process.exit(0));
