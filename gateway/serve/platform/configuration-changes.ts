/** What a configuration of the history changed, as `tidegate diff` tells it, without the texts that may hold secrets or paths of the machine. */
import { basename } from 'node:path';
import type { PlatformData } from '../../../plugins/kit/platform-views.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { validationError } from '../../../services/shared/errors/zod-details.ts';
import type { ConfigurationRecord } from '../../../services/shared/model/configuration-record.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { Change } from '../../configuration/diff/change.ts';
import { diffConfigurations } from '../../configuration/diff/diff-configurations.ts';
import { ConfigurationError, formatFault } from '../../configuration/faults.ts';
import {
  configurationHistory,
  type HistoryStore,
} from '../../configuration/history/configuration-history.ts';

type Told = PlatformData<'changes'>;

/** Changes that are told. */
const MOST_CHANGES = 200;
/** Comparisons that are remembered: a record never changes, and each costs two checks of a whole configuration. */
const MOST_KNOWN = 20;

/** Loads what a record holds. @throws ConfigurationError when it does not pass the check now */
export type LoadRecord = (record: ConfigurationRecord) => Promise<Configuration>;

/** Compares a record with what was in force before it. @throws ApiError NOT_FOUND, VALIDATION_ERROR when one does not pass the check now */
export function createConfigurationChanges(
  store: HistoryStore,
  load: LoadRecord,
): (number: number) => Promise<Told> {
  const known = new Map<number, Told>();
  let last: Promise<unknown> = Promise.resolve();

  async function compare(number: number): Promise<Told> {
    const records = await configurationHistory(store);
    const record = records.find((one) => one.number === number);
    if (record === undefined)
      throw new ApiError('NOT_FOUND', { text: `The history has no configuration ${number}.` });
    const before = records.find((one) => one.number < number && one.outcome === 'applied');
    if (record.outcome === 'refused' || before === undefined)
      return { number, before: null, changes: [], moreChanges: 0 };
    const found = known.get(number);
    if (found?.before === before.number) return found;
    const changes = diffConfigurations(await loaded(before), await loaded(record));
    const told = {
      number,
      before: before.number,
      changes: changes.slice(0, MOST_CHANGES).map(withoutTexts),
      moreChanges: Math.max(0, changes.length - MOST_CHANGES),
    };
    known.set(number, told);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return told;
  }

  async function loaded(record: ConfigurationRecord): Promise<Configuration> {
    try {
      return await load(record);
    } catch (fault) {
      if (!(fault instanceof ConfigurationError)) throw fault;
      const details = fault.faults.map((each) => ({ field: each.file, message: formatFault(each) }));
      const text = `Configuration ${record.number} does not pass the check now.`;
      throw validationError([{ field: 'number', message: text }, ...details]);
    }
  }

  // One after the other: each keeps the process busy for a moment.
  return (number) => {
    const next = last.then(() => compare(number));
    last = next.catch(() => undefined);
    return next;
  };
}

/** Parameters of policies may hold what was set as a secret; the manifest of a plugin is a path of this machine. */
function withoutTexts({ subject, name, kind, differences, dangers }: Change): Told['changes'][number] {
  return {
    subject,
    // Certificates and keys are named by their paths.
    name: subject === 'listener' ? basename(name) : name,
    kind,
    differences: differences.map(({ part, from, to }) => {
      const concealed = part.startsWith('policy ') || part === 'manifest' || (from !== null && from === to);
      return concealed ? { part, from: null, to: null, concealed } : { part, from, to, concealed };
    }),
    dangers,
  };
}
