/** Creates the query service of a process from its stores, alike alone and with other services. */
import { join } from 'node:path';
import { createQueryService } from '../../../services/query/create-query-service.ts';
import { createCustomSql } from '../../../services/query/custom/custom-sql.ts';
import { createCustomSqlMeasures } from '../../../services/query/custom/custom-sql-measures.ts';
import type { FindLink } from '../../../services/query/query-ports.ts';
import type { ServiceApp } from '../../../services/shared/http/create-service-app.ts';
import { summaryOf } from '../../../services/shared/storage/columns/build-process/build-progress.ts';
import { DuckDbParquetFiles } from '../../../services/shared/storage/duckdb/parquet-files.ts';
import type { Closers } from '../all-or-nothing.ts';
import { measureAnswers } from '../metrics/measure-answers.ts';
import { measureBuilds } from '../metrics/measure-builds.ts';
import { type ServiceParts, serviceOptions } from './service-parts.ts';

/** `closers` gets the function that ends its processes for custom queries. */
export function composeQuery(parts: ServiceParts, closers: Closers): ServiceApp {
  const { settings, events, exporter, documents, clock, metrics, builds, answers, warmUp } = parts;
  warmUp();
  measureBuilds(metrics, builds);
  measureAnswers(metrics, answers);
  const measures = createCustomSqlMeasures(metrics);
  const customSql = createCustomSql({ exporter, clock, measures }, settings.customSql);
  closers.push(() => customSql.close());
  const parquet = new DuckDbParquetFiles(join(settings.dataDir, 'files'));
  closers.push(() => parquet.close());
  const findLink: FindLink = (organizationId, id) => documents.links.get(organizationId, id);
  const shown = () => {
    if (settings.mongodbUri === null) return {};
    const status = builds();
    return { builds: summaryOf(status), ...(status.damaged > 0 ? { degraded: ['segments'] } : {}) };
  };
  return createQueryService(
    { events, documents, clock, customSql, parquet, findLink },
    { ...serviceOptions(parts, 'query'), shown },
  );
}
