/** What one gateway process last told of itself, so that any of them can show all. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** The tenant is the installation. */
export const gatewaySnapshotSchema = storedSchema.extend({
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.iso.datetime(),
  /** When it told it. */
  seenAt: z.iso.datetime(),
  /** Its state as JSON text: gateways of other versions may tell other things. */
  state: z.string(),
});
export type GatewaySnapshot = z.infer<typeof gatewaySnapshotSchema>;
