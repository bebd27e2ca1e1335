/** The mark below which a disk is low: told once each way, on a real file system that runs full. */
import { expect } from 'chai';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { createDiskWatch, type DiskWatch } from '../../../../services/shared/storage/disk-watch.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { mountSmallDisk, type SmallDisk } from '../../../support/small-disk.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

describe('the watch over the disk', () => {
  let directory: TempDirectory;
  let watch: DiskWatch | null = null;
  let disk: SmallDisk | null = null;
  const { logger } = createLogWatch();
  const start = (path: string, lowBytes: number) => {
    const metrics = new PrometheusMetrics();
    watch = createDiskWatch({ directory: path, lowBytes, logger, metrics, everyMs: 5 });
    return { watch, metrics };
  };

  beforeEach(() => {
    directory = createTempDirectory();
  });
  afterEach(() => {
    watch?.close();
    disk?.remove();
    directory.remove();
    watch = null;
    disk = null;
  });

  it('knows from the start whether the disk is low, also of a folder that is not there yet, and never with a mark of 0', async () => {
    const missing = directory.file('not/there/yet');
    const { watch: low, metrics } = start(missing, Number.MAX_SAFE_INTEGER);
    expect(low.isLow()).to.equal(true);
    expect(await metrics.text()).to.match(/^tidegate_disk_free_bytes [1-9]\d*$/m);
    low.close();
    expect(start(missing, 1).watch.isLow()).to.equal(false);
    watch?.close();
    expect(start(missing, 0).watch.isLow()).to.equal(false);
  });

  it('learns that a disk runs full, and that there is room again', async function () {
    disk = mountSmallDisk(4);
    if (disk === null) return this.skip();
    const { watch: watched } = start(disk.path, 1_000_000);
    expect(watched.isLow()).to.equal(false);
    disk.fill();
    while (!watched.isLow()) await new Promise((resolve) => setTimeout(resolve, 5));
    disk.free();
    while (watched.isLow()) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
