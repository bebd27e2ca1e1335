/** The statement of a sequence as DuckDB SQL: which statement answers which question about the order of events. */
import type { QueryPlan, Sequence } from '../query-plan.ts';
import { funnelSql } from './funnel-sql.ts';
import { goalsSql } from './goals-sql.ts';
import { journeySql } from './journey-sql.ts';
import { retentionSql } from './retention-sql.ts';
import type { SequenceSql } from './sequence-parts.ts';
import type { Bind } from './text-sql.ts';

export function sequenceSql(plan: QueryPlan, sequence: Sequence, bind: Bind): SequenceSql {
  switch (sequence.kind) {
    case 'funnel':
      return funnelSql(plan, sequence, bind);
    case 'retention':
      return retentionSql(plan, sequence, bind);
    case 'goals':
      return goalsSql(plan, sequence.goals, bind);
    case 'journey':
      return journeySql(sequence, bind);
  }
}
