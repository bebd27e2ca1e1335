/** Moves a goal up or down: it is written at once, and what had the focus keeps it where it moved to. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Read } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import { formatNumber } from '../../texts/format.ts';
import { answerOf, type DatasetRow, numberOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { pathOf } from '../paths/kinds.ts';
import { positionsFor } from './model.ts';
import { goalTexts } from './texts.ts';

export type Direction = 'up' | 'down';

/** The id of the place of a button that moves a goal. */
export const placeOf = (direction: Direction, id: string): string => `${direction}-${id}`;

/** `read`: the call of the screen, whose rows are moved. */
export function useOrder(read: Read<QueryBatch>) {
  const write = useWrite();
  const [said, say] = useState('');
  const focused = useRef<string | null>(null);
  const rows = answerOf(read.data, 'goals')?.data ?? [];
  useLayoutEffect(() => {
    if (focused.current === null) return;
    document.getElementById(focused.current)?.querySelector('button')?.focus();
    focused.current = null;
  });
  async function move(row: DatasetRow, direction: Direction): Promise<void> {
    const from = rows.indexOf(row);
    const to = from + (direction === 'up' ? -1 : 1);
    if (read.data === undefined || from < 0 || to < 0 || to >= rows.length) return;
    const order = rows.toSpliced(from, 1).toSpliced(to, 0, row);
    const placed = order.map((each) => ({
      id: textOf(each, 'goal_id'),
      position: numberOf(each, 'position'),
    }));
    const places = new Map(positionsFor(placed, to).map(({ id, position }) => [id, position]));
    const answer = await write.send(async () => {
      let last = null;
      for (const [id, position] of places) {
        last = await call<unknown>({ method: 'PATCH', path: pathOf('goals', id), body: { position } });
        if (!last.ok) break;
      }
      return last ?? { ok: true as const, status: 200, body: null, etag: null };
    });
    if (answer === null) return;
    // Some may have been written before one was refused.
    if (!answer.ok) return read.again();
    const data = order.map((each) => ({
      ...each,
      position: places.get(textOf(each, 'goal_id')) ?? numberOf(each, 'position'),
    }));
    focused.current = placeOf(direction, textOf(row, 'goal_id'));
    say(goalTexts.value.movedTo(textOf(row, 'name'), formatNumber(to + 1), formatNumber(order.length)));
    read.take({ body: reordered(read.data, data), etag: null });
  }
  const isEnd = (row: DatasetRow, direction: Direction) =>
    row === (direction === 'up' ? rows[0] : rows.at(-1));
  return { move, isEnd, said, fault: write.fault, isMoving: write.isSending };
}

const reordered = ({ results }: QueryBatch, data: readonly DatasetRow[]): QueryBatch => ({
  results: results.map((each) => ({
    ...each,
    data: each.data.map((answer) =>
      answer.parameter === 'goals' ? { ...answer, data: [...data] } : answer,
    ) as typeof each.data,
  })),
});
