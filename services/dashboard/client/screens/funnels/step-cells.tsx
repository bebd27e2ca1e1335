/** How the steps of a funnel are drawn: as bars of who got there, and as links to who did, or left before. */
import type { FunnelView } from '../../api/wire.ts';
import type { DrawCell } from '../../drill/listing-table.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { formatNumber } from '../../texts/format.ts';
import { type DatasetRow, numberOf, textOf } from '../../website/batch.ts';
import type { Scene } from '../../website/scene.ts';
import { matchText } from '../paths/match-text.ts';
import type { Behind } from '../paths/sessions-behind.ts';
import { SessionsLink } from '../paths/sessions-link.tsx';
import { behindDrop, behindStep } from './model.ts';
import { funnelTexts } from './texts.ts';

const stepOf = (row: DatasetRow) => numberOf(row, 'step');

/** `funnel`: undefined while it is still to come, and with it what the steps match. */
export function stepCells(funnel: FunnelView | undefined, scene: Scene): Readonly<Record<string, DrawCell>> {
  const t = funnelTexts.value;
  const linked = (row: DatasetRow, text: string, parts: readonly Behind[] | undefined, more = '') =>
    parts === undefined || text === '0' ? (
      text
    ) : (
      <SessionsLink scene={scene} parts={parts} what={t.step(formatNumber(stepOf(row))) + more}>
        {text}
      </SessionsLink>
    );
  return {
    step: (row) => <Step row={row} funnel={funnel} />,
    visitors: (row, text) => linked(row, text, funnel && behindStep(funnel, stepOf(row))),
    dropped: (row, text) =>
      stepOf(row) === 1 ? (
        <NoNumber />
      ) : (
        linked(row, text, funnel && behindDrop(funnel, stepOf(row)), `, ${t.columns.dropped}`)
      ),
    // Nobody who got there took any time.
    median_seconds_from_previous: (row, text) =>
      stepOf(row) === 1 || numberOf(row, 'visitors') === 0 ? <NoNumber /> : text,
  };
}

function Step({ row, funnel }: { row: DatasetRow; funnel: FunnelView | undefined }) {
  const number = stepOf(row);
  const step = funnel?.ordered === false ? undefined : funnel?.steps[number - 1];
  return (
    <span class="defined">
      <bdi>
        {funnel?.ordered === false
          ? funnelTexts.value.anyOf(formatNumber(number), formatNumber(funnel.steps.length))
          : `${formatNumber(number)}. ${textOf(row, 'name')}`}
      </bdi>
      {step && <bdi class="small soft">{matchText(step)}</bdi>}
      <span class="step-bar" aria-hidden="true">
        <span style={{ width: `${numberOf(row, 'conversion_rate')}%` }} />
      </span>
    </span>
  );
}
