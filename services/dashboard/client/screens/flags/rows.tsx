/** Rows of a form that are added, ordered and removed by buttons: whoever presses one by keyboard keeps a place. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { flagTexts } from './texts.ts';

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  readonly rowKey: (row: Row) => string | number;
  /** Told when rows change their places. */
  readonly onMoved: () => void;
  /** What a row is called, by its number. */
  readonly name: (number: number) => string;
  /** What stands for its name, where a row is a thing that has one. */
  readonly show?: (row: Row) => ComponentChildren;
  readonly children: (row: Row, index: number) => ComponentChildren;
  /** What adds a row: the focus goes there when none is left. */
  readonly foot: ComponentChildren;
}

const UP = '.acts > :nth-child(1)';
const DOWN = '.acts > :nth-child(2)';
const REMOVE = '.acts > :nth-child(3)';
const FIELD = 'input, select';

export function Rows<Row>({ rows, onChange, rowKey, onMoved, name, show, children, foot }: RowsProps<Row>) {
  const t = flagTexts.value;
  const place = useRef<HTMLDivElement>(null);
  const count = useRef(rows.length);
  /** The row, and what of it gets the focus once the rows are drawn. */
  const goal = useRef<readonly [index: number, what: string] | null>(null);
  useLayoutEffect(() => {
    const element = place.current;
    const isAdded = rows.length > count.current && element?.contains(document.activeElement);
    const [index, what] = goal.current ?? (isAdded ? [rows.length - 1, FIELD] : [-1, '']);
    goal.current = null;
    count.current = rows.length;
    if (index < 0) return;
    const row = element?.querySelectorAll('li')[Math.min(index, rows.length - 1)];
    const next =
      row?.querySelector<HTMLElement>(what) ?? (row ?? element)?.querySelector<HTMLElement>('button');
    next?.focus();
  }, [rows]);
  function put(index: number, what: string, next: readonly Row[]): void {
    goal.current = [index, what];
    onMoved();
    onChange(next);
  }
  const move = (row: Row, from: number, to: number, what: string) =>
    put(to, what, rows.toSpliced(from, 1).toSpliced(to, 0, row));
  return (
    <div class="stack" ref={place}>
      {rows.length > 0 && (
        <ol class="form-rows">
          {rows.map((row, index) => {
            const title = name(index + 1);
            return (
              <li key={rowKey(row)}>
                <fieldset class="stack">
                  <legend class="unseen">{title}</legend>
                  <div class="row spread">
                    {show ? <span>{show(row)}</span> : <strong aria-hidden="true">{title}</strong>}
                    <span class="row acts">
                      <Button
                        isBusy={index === 0}
                        label={t.up(title)}
                        onClick={() => move(row, index, index - 1, UP)}
                      >
                        ↑
                      </Button>
                      <Button
                        isBusy={index === rows.length - 1}
                        label={t.down(title)}
                        onClick={() => move(row, index, index + 1, DOWN)}
                      >
                        ↓
                      </Button>
                      <Button
                        icon="x"
                        label={`${texts.value.words.remove}: ${title}`}
                        onClick={() => put(index, REMOVE, rows.toSpliced(index, 1))}
                      >
                        {null}
                      </Button>
                    </span>
                  </div>
                  {children(row, index)}
                </fieldset>
              </li>
            );
          })}
        </ol>
      )}
      {foot}
    </div>
  );
}

/** A number that no row has. */
export const nextRow = (rows: readonly { readonly row: number }[]): number =>
  Math.max(-1, ...rows.map(({ row }) => row)) + 1;
