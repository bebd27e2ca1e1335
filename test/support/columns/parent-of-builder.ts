/** A process that has a builder of segments, tells its process id, and then only waits to be killed. */
import { BuilderProcess } from '../../../services/shared/storage/columns/build-process/builder-process.ts';

const [uri, directory] = process.argv.slice(2);

if (process.argv[1] === import.meta.filename) {
  if (uri === undefined || directory === undefined) throw new Error('usage: parent-of-builder URI DIRECTORY');
  const log = () => undefined;
  const builder = new BuilderProcess({
    uri,
    directory,
    coldAfterDays: null,
    memoryMb: 128,
    logger: { info: log, warn: log } as never,
  });
  await builder.first({ organizationId: 'org_a', websiteId: 'web_a' }, new AbortController().signal);
  process.stdout.write(`${builder.pid}\n`);
  setInterval(() => undefined, 60_000);
}
