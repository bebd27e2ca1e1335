/** Creates the resources service of a process from its stores, with its own background work: clean-ups and retention. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createJudgeViewState } from '../../../services/query/saved-views/judge-view-state.ts';
import { createDescribeShare } from '../../../services/query/shares/describe-share.ts';
import { createJudgeShare } from '../../../services/query/shares/judge-share.ts';
import { type Cleanups, createCleanups } from '../../../services/resources/cleanup/cleanups.ts';
import { createResourcesService } from '../../../services/resources/create-resources-service.ts';
import { readSharePage } from '../../../services/resources/shares/share-page.ts';
import { isDevelopment } from '../../../services/shared/access/origin-rule.ts';
import { createPasswordHasher } from '../../../services/shared/credentials/password-hasher.ts';
import type { SecretSealer } from '../../../services/shared/credentials/secret-sealer.ts';
import type { ServiceApp } from '../../../services/shared/http/create-service-app.ts';
import type { Ids } from '../../../services/shared/ports/ids.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { servedSegments } from '../../configuration/served-segments.ts';
import type { Closers } from '../all-or-nothing.ts';
import { BUILT_SHARE } from '../reload/configuration-variables.ts';
import { type Secrets, sealerOf } from '../secrets/secrets.ts';
import { startStorageTasks } from '../stores/storage-tasks.ts';
import { type ServiceParts, serviceOptions } from './service-parts.ts';

export interface ResourcesPartsOfProcess extends ServiceParts {
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'integrationKeys'>;
  /** The current configuration: plans and served paths. */
  readonly inForce: () => Configuration;
  readonly cleanups: Cleanups;
}

export interface ComposedResources {
  readonly app: ServiceApp;
  readonly sealer: SecretSealer;
}

/** The clean-up worker, not yet started; `closers` gets the function that ends it. */
export function composeCleanups(
  { documents, events, clock, logger }: Pick<ServiceParts, 'documents' | 'events' | 'clock' | 'logger'>,
  closers: Closers,
): Cleanups {
  const cleanups = createCleanups({
    documents,
    events,
    profileEvents: events.profileEvents,
    clock,
    log: logger,
  });
  closers.push(() => cleanups.close());
  return cleanups;
}

/** Also starts the background work; `closers` gets the function that ends it. */
export function composeResources(parts: ResourcesPartsOfProcess, closers: Closers): ComposedResources {
  const { settings, documents, events, bus, ids, clock, logger, metrics, inForce, cleanups } = parts;
  const tasks = startStorageTasks({
    events,
    compactor: parts.compactor,
    documents,
    plans: () => inForce().plans.plans,
    retentionDays: settings.retentionDays,
    auditRetentionDays: settings.auditRetentionDays,
    clock,
    logger,
    metrics,
  });
  closers.push(() => tasks.close());
  const sealer = sealerOf(parts.secrets);
  const app = createResourcesService(
    {
      documents,
      bus,
      ids,
      clock,
      randomBytes,
      keyPrefix: settings.keyPrefix,
      plans: () => inForce().plans,
      scopes: () => inForce().scopes,
      sealer,
      allowsLocalHttp: isDevelopment(settings),
      cleanups,
      profileEvents: events.profileEvents,
      judgeViewState: createJudgeViewState(clock),
      judgeShare: createJudgeShare(clock),
      describeShare: createDescribeShare(clock),
      sharePage: readSharePage(join(BUILT_SHARE, 'document.html')),
      passwords: createPasswordHasher(),
      servedSegments: () => servedSegments(inForce()),
    },
    serviceOptions(parts, 'resources'),
  );
  cleanups.start();
  return { app, sealer };
}
