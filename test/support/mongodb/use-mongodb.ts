/** Gives the suite that calls it a MongoDB server for its tests; on a machine that has none, the suite is skipped and says why. */

import { atEndOfRun } from '../run/end-of-run.ts';
import { requireMongodb, startMongodb, type TestMongodb } from './mongodb-server.ts';
import { withDatabase } from './with-database.ts';

let shared: Promise<TestMongodb> | null = null;
/** Databases of suites that have ended. */
let left: string[] = [];

atEndOfRun(async () => {
  await dropLeft();
  await (await shared)?.close();
});

/** One server for all suites of a run that do not kill it: each has databases of its own, which go when the next suite begins. */
export function useMongodb(): Pick<TestMongodb, 'kind' | 'newUri'> {
  const uris: string[] = [];
  const server = used(async () => {
    shared ??= startMongodb();
    await dropLeft();
    return shared;
  });
  // What the suite itself closes after its tests may still want them.
  after(() => void left.push(...uris.splice(0)));
  return {
    get kind() {
      return server.kind;
    },
    newUri() {
      const uri = server.newUri();
      uris.push(uri);
      return uri;
    },
  };
}

/** A server of the suite alone, which it may kill and start again. */
export function useOwnMongodb(options?: Parameters<typeof startMongodb>[0]): TestMongodb {
  const own = used(() => startMongodb(options));
  after(() => own.close());
  return own;
}

/** Hooks of the suite that is being declared. */
function used(open: () => Promise<TestMongodb>): TestMongodb {
  let server: TestMongodb | null = null;
  before(async function () {
    requireMongodb(this);
    server = await open();
  });
  function started(): TestMongodb {
    if (server === null) throw new Error('the server is there from the first hook of the suite on');
    return server;
  }
  return {
    get kind() {
      return started().kind;
    },
    newUri: () => started().newUri(),
    kill: () => started().kill(),
    start: () => started().start(),
    close: async () => server?.close(),
  };
}

async function dropLeft(): Promise<void> {
  const names = left.map(nameIn);
  const [uri] = left;
  left = [];
  if (uri === undefined) return;
  await withDatabase(uri, async (database) => {
    for (const name of names) await database.useDb(name).dropDatabase();
  });
}

/** Of the database; several hosts are no URL that could be parsed. */
function nameIn(uri: string): string {
  return /^[^/]+\/\/[^/]+\/([^?]+)/.exec(uri)?.[1] ?? '';
}
