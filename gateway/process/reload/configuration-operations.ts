/** What operators may do with configurations: list them, keep an earlier one in force, end that. */
import { ApiError, type ErrorDetail } from '../../../services/shared/errors/api-error.ts';
import type {
  ConfigurationPin,
  ConfigurationRecord,
} from '../../../services/shared/model/configuration-record.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Configurations } from '../../administration/configurations.ts';
import { ConfigurationError, type Fault, formatFault } from '../../configuration/faults.ts';
import {
  configurationHistory,
  findConfiguration,
  lastFilesHash,
} from '../../configuration/history/configuration-history.ts';
import { readFiles } from '../../configuration/history/configuration-in-force.ts';
import { loadSnapshot } from '../../configuration/history/load-snapshot.ts';
import { readPin, removePin, writePin } from '../../configuration/history/pin.ts';
import type { ConfigurationSource } from '../../configuration/load-configuration.ts';
import { checkPlans } from './check-plans.ts';
import type { ReloadOutcome } from './configuration-reload.ts';

/** How a process checks configurations and, if it is a gateway, takes them up. */
export interface ConfigurationOptions {
  readonly source: ConfigurationSource;
  /** Null: this process is no gateway, and what its directory holds says nothing about those that are. */
  readonly reload: ((reason: string) => Promise<ReloadOutcome>) | null;
}

export function configurationsOf(
  documents: DocumentStore,
  { source, reload }: ConfigurationOptions,
): Configurations {
  async function found(number: number): Promise<ConfigurationRecord> {
    const record = await findConfiguration(documents, number);
    if (record !== null) return record;
    throw new ApiError('NOT_FOUND', {
      text: `The history has no configuration ${number}: "tidegate history" lists what it has.`,
    });
  }

  return {
    async listConfigurations() {
      const [records, pin] = [await configurationHistory(documents), await readPin(documents)];
      return {
        configurations: records.map(({ files: _, ...listed }) => listed),
        pinned: pin && { number: pin.number, by: pin.by, at: pin.updatedAt },
      };
    },
    configuration: found,
    async rollback(number, by) {
      const record = await found(number);
      if (record.outcome === 'refused') {
        const details = record.faults.map((message) => ({ field: 'configuration', message }));
        throw refused(`Configuration ${number} was never in force: it was refused.`, details);
      }
      const configuration = await loadSnapshot(record, source).catch((fault: unknown) => {
        throw refusedBy(fault, `Configuration ${number} does not pass the check now.`);
      });
      await checkPlans(documents, Object.keys(configuration.plans.plans)).catch((fault: unknown) => {
        throw refusedBy(fault, `Configuration ${number} does not pass the check now.`);
      });
      const before = await readPin(documents);
      await writePin(documents, { number, by, filesHash: await lastFilesHash(documents) });
      const result = (await reload?.(`rollback to ${number} by ${by}`)) ?? null;
      if (result?.outcome === 'refused') {
        if (before === null) await removePin(documents);
        else await writePin(documents, pinOf(before));
        throw refusedBy(result.fault, `Configuration ${number} could not be taken up.`);
      }
      return { number, applied: result !== null };
    },
    async unpin(by) {
      const pin = await readPin(documents);
      if (pin === null)
        throw new ApiError('NOT_FOUND', { text: 'Nothing is pinned: the files are in force.' });
      const { fault } = reload === null ? { fault: null } : await readFiles(source);
      if (fault) throw refusedBy(fault, `The files have faults: configuration ${pin.number} stays pinned.`);
      await removePin(documents);
      const result = (await reload?.(`unpinned by ${by}`)) ?? null;
      if (result?.outcome === 'refused') {
        await writePin(documents, pinOf(pin));
        throw refusedBy(
          result.fault,
          `The files could not be taken up: configuration ${pin.number} stays pinned.`,
        );
      }
      return { number: pin.number, applied: result !== null };
    },
  };
}

function pinOf({
  number,
  by,
  filesHash,
}: ConfigurationPin): Pick<ConfigurationPin, 'number' | 'by' | 'filesHash'> {
  return { number, by, filesHash };
}

function refusedBy(fault: unknown, text: string): ApiError {
  const details =
    fault instanceof ConfigurationError
      ? fault.faults.map(detailOf)
      : [{ field: 'configuration', message: fault instanceof Error ? fault.message : String(fault) }];
  return refused(text, details);
}

function refused(text: string, details: readonly ErrorDetail[]): ApiError {
  return new ApiError('VALIDATION_ERROR', {
    text,
    details: [{ field: 'configuration', message: text }, ...details],
  });
}

function detailOf(fault: Fault): ErrorDetail {
  return { field: fault.file, message: formatFault(fault) };
}
