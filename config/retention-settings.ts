/** The settings that say how long events and audit records are kept. */
import { z } from 'zod';
import { define } from './setting-schemas.ts';

/** Settings by their names in the environment. */
export const RETENTION_SETTINGS = {
  RETENTION_DAYS: define(
    z
      .string()
      .regex(/^([1-9]\d{0,3}|[12]\d{4}|3[0-5]\d{3}|36[0-4]\d{2}|36500)?$/, 'must be days, 1 to 36500')
      .transform((text) => (text === '' ? null : Number(text))),
    '',
    'Days that events are kept where neither organization nor plan says so. Empty: for ever.',
  ),
  AUDIT_RETENTION_DAYS: define(
    z
      .string()
      .regex(/^([1-9]\d{0,3}|unlimited)$/, 'must be days, 1 to 9999, or unlimited')
      .transform((text) => (text === 'unlimited' ? null : Number(text))),
    '730',
    'Days that audit records are kept, or `unlimited`.',
  ),
};
