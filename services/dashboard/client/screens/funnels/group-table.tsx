/** A funnel by a dimension: who of each group got to each step. */
import { useState } from 'preact/hooks';
import type { Read } from '../../api/use-read.ts';
import type { FunnelView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Table } from '../../design/table.tsx';
import { dimensionText } from '../../drill/filter-text.ts';
import { CellOf } from '../../drill/listing-table.tsx';
import { PartCard } from '../../drill/part-card.tsx';
import { tableOf } from '../../drill/table-of.ts';
import { drillTexts } from '../../drill/texts.ts';
import { ExportActs } from '../../exports/export-acts.tsx';
import { formatNumber, formatPercent } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { type Question, queryRequest } from '../../website/scene.ts';
import type { SceneView } from '../../website/use-scene.ts';
import { GroupChoice } from '../paths/group-choice.tsx';
import { behindGroup, type Group } from '../paths/groups.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { pathsTexts } from '../paths/texts.ts';
import { behindStep, type GroupRow, groupRows } from './model.ts';
import { stepName } from './step-text.ts';
import { funnelTexts } from './texts.ts';

/** Groups before all are asked for. */
const FEW = 20;

interface GroupTableProps {
  readonly funnel: FunnelView;
  readonly group: Group;
  readonly question: Question;
  readonly scene: SceneView;
  readonly read: Read<QueryBatch>;
}

export function GroupTable({ funnel, group, question, scene, read }: GroupTableProps) {
  const t = funnelTexts.value;
  const [isWhole, setWhole] = useState(false);
  const dimension = dimensionText(group.dimension);
  const title = pathsTexts.value.groups(dimension);
  return (
    <PartCard
      title={title}
      definition={t.groupsDefinition}
      read={read}
      dataset="funnel"
      id={question.id}
      acts={<GroupChoice group={group} />}
    >
      {(answer) => {
        const rows = groupRows(answer, group);
        if (rows.length === 0) return <p class="soft nothing">{drillTexts.value.nothing}</p>;
        return (
          <>
            <Table
              caption={title}
              rows={isWhole ? rows : rows.slice(0, FEW)}
              rowKey={({ first }) => JSON.stringify(first[group.column.key])}
              columns={[
                {
                  key: 'group',
                  title: dimension,
                  cell: ({ first }) => <CellOf row={first} column={group.column} scene={scene} />,
                },
                {
                  key: 'rate',
                  title: t.series.conversion_rate,
                  isNumber: true,
                  cell: ({ rate }) => formatPercent(rate),
                },
                ...funnel.steps.map((step, index) => ({
                  key: `${index}`,
                  title: `${formatNumber(index + 1)}. ${funnel.ordered ? stepName(step) : ''}`,
                  isNumber: true,
                  cell: (row: GroupRow) => <Visitors {...{ row, funnel, group, scene }} step={index + 1} />,
                })),
              ]}
              stacks
            />
            <div class="row spread">
              {!isWhole && rows.length > FEW ? (
                <Button onClick={() => setWhole(true)}>{texts.value.words.more}</Button>
              ) : (
                <span />
              )}
              <ExportActs
                title={title}
                file="funnel-groups"
                {...tableOf(answer.data)}
                request={queryRequest(scene, [question])}
              />
            </div>
          </>
        );
      }}
    </PartCard>
  );
}

interface VisitorsProps extends Pick<GroupTableProps, 'funnel' | 'group' | 'scene'> {
  readonly row: GroupRow;
  /** From 1. */
  readonly step: number;
}

function Visitors({ row: { first, visitors }, funnel, group, scene, step }: VisitorsProps) {
  const count = visitors[step - 1] ?? 0;
  const behind = behindStep(funnel, step);
  const text = formatNumber(count);
  if (behind === undefined || count === 0) return <>{text}</>;
  return (
    <SessionsLink
      scene={scene}
      parts={[...behind, behindGroup(first, group, 'visitor')]}
      what={funnelTexts.value.step(formatNumber(step))}
    >
      {text}
    </SessionsLink>
  );
}
