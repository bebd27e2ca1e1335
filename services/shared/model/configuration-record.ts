/** A configuration of the gateway as it was read, in force or refused, and the pin that keeps an earlier one in force. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** The tenant of both: they belong to the installation, not to an organization. */
export const INSTALLATION = 'installation';

/** A file of the configuration by its name inside the directory, its text as written: `${…}` stands for what it stands for. */
const configurationFileSchema = z.object({ file: z.string(), text: z.string() });

export const configurationRecordSchema = storedSchema.extend({
  /** Counted from 1; later ones have larger numbers. */
  number: z.int().min(1),
  outcome: z.enum(['applied', 'refused']),
  /** Whether it was read from the files, or from an earlier record. */
  source: z.enum(['files', 'history']),
  /** The number of that earlier record. */
  restored: z.int().min(1).optional(),
  /** What caused it to be read, such as `start` or `a file changed`. */
  reason: z.string(),
  /** Twelve hexadecimal digits that follow from what the files mean; null when they were refused. */
  hash: z.string().nullable(),
  /** Of the texts: 64 hexadecimal digits. */
  sha256: z.string(),
  /** Why it was refused, a line each. */
  faults: z.array(z.string()),
  /** Null: they are too large to keep. */
  files: z.array(configurationFileSchema).nullable(),
});
export type ConfigurationRecord = z.infer<typeof configurationRecordSchema>;

/** The identifier of a record, which tells no two apart that have the same number. */
export function configurationRecordId(number: number): string {
  return `cfg_${String(number).padStart(9, '0')}`;
}

/** There is at most one. */
export const CONFIGURATION_PIN_ID = 'pin';

export const configurationPinSchema = storedSchema.extend({
  /** Of the record that stays in force. */
  number: z.int().min(1),
  /** The hash of the files when it was pinned; files that mean something else end the pin. Null: no files were ever in force. */
  filesHash: z.string().nullable(),
  by: z.string(),
});
export type ConfigurationPin = z.infer<typeof configurationPinSchema>;
