/** Loads a configuration of the history: its texts are checked like files that were just written. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigurationRecord } from '../../../services/shared/model/configuration-record.ts';
import type { Configuration } from '../configuration.ts';
import { ConfigurationError } from '../faults.ts';
import { type ConfigurationSource, loadFrom } from '../load-configuration.ts';

/**
 * The configuration of a record, as if it stood in the directory of `source`. Its files lie in a folder of their own, which
 * only this user may read, while it is loaded.
 * @throws ConfigurationError with every fault; one that says so when its texts were not kept
 */
export async function loadSnapshot(
  { number, files }: Pick<ConfigurationRecord, 'number' | 'files'>,
  source: ConfigurationSource,
): Promise<Configuration> {
  if (files === null) {
    const text = `configuration ${number} of the history was too large to be kept`;
    throw new ConfigurationError([{ file: source.directory, path: '', allowed: [], text }]);
  }
  // 0700, whatever the umask.
  const folder = await mkdtemp(path.join(tmpdir(), 'tidegate-configuration-'));
  try {
    for (const { file, text } of files) {
      const full = path.join(folder, file);
      if (!full.startsWith(folder + path.sep)) throw new Error(`"${file}" lies outside of a configuration`);
      await mkdir(path.dirname(full), { recursive: true, mode: 0o700 });
      await writeFile(full, text, { mode: 0o600 });
    }
    const configuration = await loadFrom({ ...source, directory: folder });
    return {
      ...configuration,
      directory: path.resolve(source.directory),
      further: outside(folder, configuration.further),
      pinned: number,
    };
  } catch (fault) {
    if (!(fault instanceof ConfigurationError)) throw fault;
    throw new ConfigurationError(fault.faults, outside(folder, fault.further), fault.texts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function outside(folder: string, paths: readonly string[]): string[] {
  return paths.filter((each) => !each.startsWith(folder + path.sep));
}
