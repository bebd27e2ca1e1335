/** Administration of configurations: their history, and which of it stays in force. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import {
  type ConfigurationRecord,
  configurationRecordSchema,
} from '../../services/shared/model/configuration-record.ts';

/** A record without its files. */
export const listedConfigurationSchema = configurationRecordSchema.omit({ files: true });
export type ListedConfiguration = z.infer<typeof listedConfigurationSchema>;

export const configurationListSchema = z.object({
  /** The newest first. */
  configurations: z.array(listedConfigurationSchema),
  /** Null: the files are in force. */
  pinned: z.object({ number: z.int(), by: z.string(), at: z.string() }).nullable(),
});
export type ConfigurationList = z.infer<typeof configurationListSchema>;

/** `applied`: whether this process has it in force already; the others find it within seconds. */
export const pinnedConfigurationSchema = z.object({ number: z.int(), applied: z.boolean() });
export type PinnedConfiguration = z.infer<typeof pinnedConfigurationSchema>;

/** Part of the administration. */
export interface Configurations {
  listConfigurations(): Promise<ConfigurationList>;
  /** With its files as written. @throws ApiError NOT_FOUND */
  configuration(number: number): Promise<ConfigurationRecord>;
  /**
   * Checks a configuration that was in force, and keeps it in force in every gateway, over restarts.
   * @throws ApiError NOT_FOUND, VALIDATION_ERROR with every fault; nothing changes then
   */
  rollback(number: number, by: string): Promise<PinnedConfiguration>;
  /** Ends that: the files are in force again. @throws ApiError NOT_FOUND, VALIDATION_ERROR with every fault of the files */
  unpin(by: string): Promise<PinnedConfiguration>;
}

async function cannot(): Promise<never> {
  throw new ApiError('SERVICE_UNAVAILABLE', { text: 'This process does not know the configurations.' });
}

/** For processes that have nothing to do with configurations. */
export const NO_CONFIGURATIONS: Configurations = {
  listConfigurations: cannot,
  configuration: cannot,
  rollback: cannot,
  unpin: cannot,
};
