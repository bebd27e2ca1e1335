/** The shape of config/plans.yml: plans and endpoint limits as data (spec.md, Limits). */
import { z } from 'zod';

const requests = z.number().int().min(1).max(1_000_000_000);

export const planSchema = z.strictObject({
  per10Seconds: requests.describe('Requests per 10 seconds and organization.'),
  perMinute: requests.describe('Requests per minute and organization.'),
});

export const plansFileSchema = z.strictObject({
  plans: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), planSchema)
    .describe('Plans by name, in lower case.'),
  limits: z.strictObject({
    public: z
      .strictObject({
        limit: requests.describe('Requests per window, address and group.'),
        windowSeconds: z.number().int().min(1).max(86_400).describe('Length of the window, in seconds.'),
      })
      .describe('Requests without a valid credential.'),
  }),
});
export type PlansFile = z.infer<typeof plansFileSchema>;
export type Plan = z.infer<typeof planSchema>;
