/** The shape of the answer to one request object. */
import { z } from 'zod';

const periodSchema = z.object({ startDate: z.string(), endDate: z.string() });

export const answerSchema = z.object({
  queryId: z.string().optional(),
  data: z.array(
    z.object({
      parameter: z.string().describe('Name of the dataset, or the id that the request gave it.'),
      success: z.boolean(),
      data: z.array(
        z.record(z.string(), z.union([z.string(), z.number(), z.record(z.string(), z.unknown()), z.null()])),
      ),
      compare: periodSchema
        .optional()
        .describe('The period that this dataset is compared with, if it is another one than in meta.'),
      error: z.string().optional().describe('Why the dataset failed.'),
      cursor: z
        .string()
        .optional()
        .describe(
          'Of events_live: the argument cursor of the next question, which is answered by what came since.',
        ),
    }),
  ),
  meta: z.object({
    parameters: z.array(z.string()),
    total_parameters: z.number(),
    page: z.number(),
    limit: z.number(),
    filters_applied: z.number(),
    failed: z.number().describe('Datasets that failed; each says why.'),
    compare: periodSchema
      .optional()
      .describe('With compare: the other period, as dates or as instants, which may be asked for alone.'),
    first_event: z
      .union([z.iso.datetime(), z.null()])
      .optional()
      .describe('With the preset all: the instant of the first event of what is queried.'),
  }),
});
