/** The limits that apply to an organization, as members see them; apart from their computation, so that pages can import the type. */
import { z } from 'zod';

const number = z.number().int().nullable();

/** Null: the configuration has no such limit. */
export const effectiveLimitsSchema = z.object({
  per10Seconds: number.describe('Requests per 10 seconds.'),
  perMinute: number.describe('Requests per minute.'),
  perDay: number.describe('Requests per day in UTC.'),
  perMonth: number.describe('Requests per calendar month in UTC.'),
  customSqlPerMinute: number.describe('Custom SQL queries per minute.'),
  batchDatasetsPerMinute: number.describe('Dataset names of batches per minute.'),
  batchEventsPerMinute: number.describe('Events of batches per minute.'),
  publicPerMinute: number.describe('Requests without a credential that name it, per minute and address.'),
  websites: number.describe('The most websites that it may have.'),
  links: number.describe('The most short links that it may have.'),
  goals: number.describe('The most goals that it may have.'),
  funnels: number.describe('The most funnels that it may have.'),
});
export type EffectiveLimits = z.infer<typeof effectiveLimitsSchema>;
