/** The totals of the range; a tile picks what the chart draws. */
import { useState } from 'preact/hooks';
import { useLeft } from '../../api/use-left.ts';
import { afterPaint } from '../../design/after-paint.ts';
import { Definition } from '../../design/definition.tsx';
import { texts } from '../../texts/texts.ts';
import { formatValue } from './formats.ts';
import { MEASURES, type Measure } from './measures.ts';
import type { Tile } from './model.ts';
import type { View } from './use-view.ts';

/** Without `tiles` it keeps their place. */
export function Tiles({ view, tiles }: { view: View; tiles: readonly Tile[] | undefined }) {
  const t = texts.value.overview;
  /** Shown as pressed before the chart follows. */
  const [pressed, press] = useState<Measure | null>(null);
  const isLeft = useLeft();
  function choose(measure: Measure): void {
    press(measure);
    afterPaint(() => {
      if (isLeft()) return;
      press(null);
      view.showMeasure(measure);
    });
  }
  return (
    <ul class="tiles">
      {MEASURES.map((measure) => {
        const { key, kind } = measure;
        const value = tiles?.find((tile) => tile.measure === measure)?.value;
        return (
          <li key={key} class="tile">
            <button
              type="button"
              aria-pressed={measure === (pressed ?? view.measure)}
              onClick={() => choose(measure)}
            >
              <span class="soft">{t.measures[key]}</span>
              <strong class="number">{value === undefined ? ' ' : formatValue(kind, value)}</strong>
            </button>
            <Definition term={t.measures[key]} text={t.definitions[key]} />
          </li>
        );
      })}
    </ul>
  );
}
