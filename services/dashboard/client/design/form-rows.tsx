/** Rows of a form that are added, ordered and removed by buttons: whoever presses one by keyboard keeps a place. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

interface FormRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  readonly rowKey: (row: Row) => string | number;
  /** Told when rows change their places. */
  readonly onMoved?: () => void;
  /** Their order says nothing: they are not moved. */
  readonly isUnordered?: boolean;
  /** As many stay at least. */
  readonly least?: number;
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
const REMOVE = '.acts > :last-child';
const FIELD = 'input, select';

export function FormRows<Row>(props: FormRowsProps<Row>) {
  const { rows, onChange, rowKey, onMoved, isUnordered, least = 0, name, show, children, foot } = props;
  const w = texts.value.words;
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
    const row = element?.querySelectorAll(':scope > ol > li')[Math.min(index, rows.length - 1)];
    const next =
      row?.querySelector<HTMLElement>(what) ?? (row ?? element)?.querySelector<HTMLElement>('button');
    next?.focus();
  }, [rows]);
  function put(index: number, what: string, next: readonly Row[]): void {
    goal.current = [index, what];
    onMoved?.();
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
                      {!isUnordered && (
                        <>
                          <Button
                            isBusy={index === 0}
                            label={w.up(title)}
                            onClick={() => move(row, index, index - 1, UP)}
                          >
                            ↑
                          </Button>
                          <Button
                            isBusy={index === rows.length - 1}
                            label={w.down(title)}
                            onClick={() => move(row, index, index + 1, DOWN)}
                          >
                            ↓
                          </Button>
                        </>
                      )}
                      <Button
                        icon="x"
                        isBusy={rows.length <= least}
                        label={`${w.remove}: ${title}`}
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
