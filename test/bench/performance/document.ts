/** The document of a run of every bench: figures alone, from which table, page and plots are made. */
import { z } from 'zod';
import { ENGINE_NAMES } from '../query-engine.ts';
import { WEBSITES } from '../query-workload.ts';
import { METHODS } from '../report.ts';
import { TARGET_NAMES } from '../target.ts';

export const PARTS = ['gateway', 'growth', 'query', 'ingest'] as const;
export type Part = (typeof PARTS)[number];

/** When a part was measured, and what else the machine did. */
const aboutSchema = z.strictObject({
  begun: z.iso.datetime(),
  seconds: z.number(),
  /** Share of its processors that the machine used just before, and just after; 0..1. */
  busyBefore: z.number(),
  busyAfter: z.number(),
  /** With small counts, which only show that it runs. */
  quick: z.boolean(),
});
export type About = z.infer<typeof aboutSchema>;

const gatewaySchema = z.strictObject({
  about: aboutSchema,
  runs: z.number(),
  seconds: z.number(),
  connections: z.number(),
  halfLoadSeconds: z.number(),
  halfLoadRuns: z.number(),
  /** Share of the targets' processor that other work took: 0..1. */
  othersShare: z.number(),
  rows: z.array(
    z.strictObject({
      target: z.enum(TARGET_NAMES),
      method: z.enum(METHODS),
      requestsPerSecond: z.number(),
      cpuMicroseconds: z.number(),
      cpuSpread: z.tuple([z.number(), z.number()]),
      residentMegabytes: z.number(),
      toBare: z.number().nullable(),
      failures: z.number(),
    }),
  ),
  /** Milliseconds from when a request was due. */
  halfLoads: z.array(
    z.strictObject({
      target: z.enum([...TARGET_NAMES, 'upstream']),
      method: z.enum(METHODS),
      perSecond: z.number(),
      sent: z.number(),
      failures: z.number(),
      p50: z.number(),
      p99: z.number(),
      p999: z.number(),
    }),
  ),
});

const growthSchema = z.strictObject({
  about: aboutSchema,
  rounds: z.number(),
  requests: z.number(),
  keysInUse: z.number(),
  rows: z.array(
    z.strictObject({
      routes: z.number(),
      keys: z.number(),
      organizations: z.number(),
      startSeconds: z.number(),
      cpuMicroseconds: z.number(),
      toFirst: z.number(),
      residentMegabytes: z.number(),
    }),
  ),
});

const websiteNames = WEBSITES.map(({ name }) => name);
const querySchema = z.strictObject({
  about: aboutSchema,
  runs: z.number(),
  sizes: z.array(
    z.strictObject({
      events: z.number(),
      rows: z.array(
        z.strictObject({
          engine: z.enum(ENGINE_NAMES),
          website: z.enum(websiteNames),
          p50: z.number(),
          p99: z.number(),
          cpuMilliseconds: z.number(),
          /** How many times as long as Tidegate. */
          toTidegate: z.number(),
        }),
      ),
      megabytes: z.partialRecord(z.enum(ENGINE_NAMES), z.number()),
    }),
  ),
});

const ingestSchema = z.strictObject({
  about: aboutSchema,
  runs: z.number(),
  seconds: z.number(),
  othersShare: z.number(),
  visibleMilliseconds: z.number(),
  rows: z.array(
    z.strictObject({
      store: z.enum(['tidegate', 'postgresql']),
      callers: z.number(),
      /** Of one request, or of one COPY. */
      events: z.number(),
      eventsPerSecond: z.number(),
      spread: z.tuple([z.number(), z.number()]),
      cpuMicroseconds: z.number(),
      residentMegabytes: z.number(),
      failures: z.number(),
    }),
  ),
});

export const documentSchema = z.strictObject({
  version: z.literal(1),
  machine: z.strictObject({
    processor: z.string(),
    processors: z.number(),
    memoryGigabytes: z.number(),
    system: z.string(),
    node: z.string(),
    /** Of the programs that Tidegate is measured beside, by their names; those that are not there are missing. */
    versions: z.record(z.string(), z.string()),
    /** Whether targets and load had a processor of their own each. */
    pinned: z.boolean(),
  }),
  /** Peers that are not measured, each with a sentence. */
  leftOut: z.array(z.strictObject({ part: z.enum(PARTS), name: z.string(), reason: z.string() })),
  /** Parts that ended with an error or that no time was left for, each with a sentence. */
  failed: z.array(z.strictObject({ part: z.enum(PARTS), reason: z.string() })),
  gateway: gatewaySchema.optional(),
  growth: growthSchema.optional(),
  query: querySchema.optional(),
  ingest: ingestSchema.optional(),
});
export type PerformanceDocument = z.infer<typeof documentSchema>;
export type GatewayPart = z.infer<typeof gatewaySchema>;
export type GrowthPart = z.infer<typeof growthSchema>;
export type QueryPart = z.infer<typeof querySchema>;
export type IngestPart = z.infer<typeof ingestSchema>;
