/** All goals of a website with their numbers: made, put in order, changed and deleted where they are read. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { GoalView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import type { Column } from '../../design/table.tsx';
import { listingQuestion } from '../../drill/listing.ts';
import { type DrawCell, ListingTable } from '../../drill/listing-table.tsx';
import { formatMoney } from '../../drill/money.ts';
import { numberIn } from '../../drill/number-in.ts';
import { drillTexts } from '../../drill/texts.ts';
import { useListing } from '../../drill/use-listing.ts';
import type { Page } from '../../exports/whole-list.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { texts } from '../../texts/texts.ts';
import { answerOf, type DatasetRow, numberOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { queryRequest } from '../../website/scene.ts';
import { useScene } from '../../website/use-scene.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import type { Act } from '../paths/definition-acts.tsx';
import { goalsRequest } from '../paths/kinds.ts';
import { matchText } from '../paths/match-text.ts';
import { RowActs } from '../paths/row-acts.tsx';
import { behindMatch } from '../paths/sessions-behind.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { pathsTexts } from '../paths/texts.ts';
import { GoalActs } from './goal-acts.tsx';
import { GOALS, presentQuestion } from './model.ts';
import { goalTexts } from './texts.ts';
import { placeOf, useOrder } from './use-order.ts';

const idOf = (row: DatasetRow) => textOf(row, 'goal_id');

export function GoalList({ websiteId }: { websiteId: string }) {
  const [t, p, w] = [goalTexts.value, pathsTexts.value, texts.value];
  const title = w.website.screens.goals;
  const scene = useScene(websiteId);
  const { parameters } = useAddress();
  const view = useListing(GOALS);
  const present = presentQuestion(scene);
  const read = useRead<QueryBatch>(queryRequest(scene, [present, listingQuestion(scene, GOALS, view)]));
  const isOfNobody = numberIn(answerOf(read.data, 'summary_metrics', present.id)?.data[0], 'visitors') === 0;
  // What they count stands below their names, and one that is opened need not be asked for.
  const known = useRead<Page<GoalView>>(goalsRequest(websiteId), {
    isKept: true,
  });
  const goals = new Map(known.data?.data.map((goal) => [goal.id, goal]));
  const order = useOrder(read);
  const [open, setOpen] = useState<Act | null>(null);
  const mayWrite = may('manage:websites');
  const cells: Readonly<Record<string, DrawCell>> = {
    name: (row, name) => {
      const goal = goals.get(idOf(row));
      return (
        <span class="defined">
          <a href={sceneAddress(websiteId, 'goals', parameters, { goal: idOf(row) })}>
            <bdi>{name}</bdi>
          </a>
          {goal && <bdi class="small soft">{matchText(goal)}</bdi>}
        </span>
      );
    },
    sessions: (row, text) => {
      const goal = goals.get(idOf(row));
      return goal && numberOf(row, 'sessions') > 0 ? (
        <SessionsLink scene={scene} parts={[behindMatch(goal, 'session')]} what={goal.name}>
          {text}
        </SessionsLink>
      ) : (
        text
      );
    },
    conversion_rate: (_row, text) => (isOfNobody ? <NoNumber /> : text),
    revenue: (row, _text, usual) =>
      typeof row.revenue === 'number' ? formatMoney(row.revenue, textOf(row, 'currency')) : usual,
  };
  const moves: Column<DatasetRow> = {
    key: 'order',
    title: t.order,
    cell: (row) => (
      <span class="row moves screen-only">
        {(['up', 'down'] as const).map((direction) => (
          <span key={direction} id={placeOf(direction, idOf(row))}>
            <Button
              kind="plain"
              label={w.words[direction](textOf(row, 'name'))}
              isBusy={order.isMoving || order.isEnd(row, direction)}
              onClick={() => void order.move(row, direction)}
            >
              {direction === 'up' ? '↑' : '↓'}
            </Button>
          </span>
        ))}
      </span>
    ),
  };
  const acts: Column<DatasetRow> = {
    key: 'acts',
    title: p.acts,
    cell: (row) => {
      const name = textOf(row, 'name');
      return <RowActs name={name} onAct={(act) => setOpen({ act, id: idOf(row), name })} />;
    },
  };
  return (
    <WebsiteScreen scene={scene} read={read} of={useWebsiteOfPath(read.fault)} title={title}>
      <GoalActs
        websiteId={websiteId}
        open={open}
        onClose={() => setOpen(null)}
        onDone={() => {
          read.again();
          known.again();
        }}
      />
      {order.fault && <FaultNotice fault={order.fault} />}
      <p class="unseen" role="status">
        {order.said}
      </p>
      <ListingTable
        title={title}
        definition={t.definition}
        titles={{ ...drillTexts.value.columns, ...p.goal.columns, name: w.words.name }}
        listing={GOALS}
        view={view}
        scene={scene}
        read={read}
        cells={cells}
        more={mayWrite ? [...(view.sort === '' ? [moves] : []), acts] : []}
        nothing={mayWrite ? t.none : `${t.none} ${p.noneForViewers}`}
      >
        {mayWrite && (
          <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
            {t.make}
          </Button>
        )}
      </ListingTable>
    </WebsiteScreen>
  );
}
