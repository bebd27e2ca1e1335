/** The parameters of the proxy policy. */
import { z } from 'zod';
import { webSocketParams } from './web-sockets.ts';

export const proxyParams = z.strictObject({
  serviceEndpoint: z.string().describe('Name of the serviceEndpoint that answers.'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe(
      'How long the service may take to begin its answer, and to pause within it, in seconds. Default 30.',
    ),
  connections: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe(
      'Most requests under way at each address of the service; further ones wait in their order, until timeoutSeconds after their start, then they are refused with 503. Default 256.',
    ),
  forgetsAfterWrites: z
    .boolean()
    .default(false)
    .describe(
      'Whether this process forgets what it remembers of keys, sessions and organizations before it passes on that a write succeeded. Default false.',
    ),
  remembersFullQueues: z
    .boolean()
    .default(false)
    .describe(
      "Whether further requests of an organization are refused here with 503 after a service of the platform said that the organization's queue is full, until one of its requests begins to run or is over, at most one second. Default false.",
    ),
  webSocket: webSocketParams
    .optional()
    .describe(
      'Whether requests for a WebSocket pass to the service, and within which bounds; {} for the defaults. Absent: they are refused.',
    ),
});
