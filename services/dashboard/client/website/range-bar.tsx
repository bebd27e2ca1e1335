/** Chooses the range and the width of its buckets; a step before or after keeps the length. */
import { useLeft } from '../api/use-left.ts';
import { afterPaint } from '../design/after-paint.ts';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { texts } from '../texts/texts.ts';
import { DatesForm } from './dates-form.tsx';
import { daysOf, type Granularity, RANGE_PRESETS, stepped } from './range.ts';
import type { SceneView } from './use-scene.ts';

/** What stands in the choice of presets for dates of one's own. */
const CUSTOM = 'custom';

export function RangeBar({ view, again }: { view: SceneView; again: () => void }) {
  const t = texts.value.overview;
  const { range, today } = view;
  const preset = 'preset' in range ? range.preset : CUSTOM;
  const before = stepped(range, -1, today, Date.now());
  const after = stepped(range, 1, today, Date.now());
  const isLeft = useLeft();
  // The button shows as pressed before the screen follows; pressed twice at once, it steps twice.
  const step = (by: -1 | 1) => afterPaint(() => isLeft() || view.stepRange(by));
  return (
    <div class="range-bar row">
      <Button
        icon="chevron-left"
        label={t.before}
        shortcut="ArrowLeft"
        isBusy={before === null}
        onClick={() => step(-1)}
      >
        {''}
      </Button>
      <Field
        label={t.range}
        value={preset}
        onInput={(value) => {
          const chosen = RANGE_PRESETS.find((each) => each === value);
          // Dates of one's own begin as what is shown.
          const days = daysOf(range, today) ?? { first: today, last: today };
          view.showRange(chosen ? { preset: chosen } : days);
        }}
        options={[
          ...RANGE_PRESETS.map((value) => ({ value, text: t.presets[value] })),
          { value: CUSTOM, text: t.custom },
        ]}
      />
      <Button
        icon="chevron-right"
        label={t.after}
        shortcut="ArrowRight"
        isBusy={after === null}
        onClick={() => step(1)}
      >
        {''}
      </Button>
      <Field
        label={t.granularity}
        value={view.granularity}
        onInput={(value) => view.showGranularity(value as Granularity)}
        options={view.granularities.map((value) => ({ value, text: t.granularities[value] }))}
      />
      <Button icon="refresh-cw" label={t.refresh} shortcut="r" onClick={again}>
        {''}
      </Button>
    </div>
  );
}

/** The first and last day of a range that is no preset. */
export function Dates({ view: { range, today, showRange } }: { view: SceneView }) {
  const t = texts.value.overview;
  if ('preset' in range) return null;
  return (
    <DatesForm
      key={JSON.stringify(range)}
      days={daysOf(range, today) ?? { first: today, last: today }}
      words={t}
      badDates={t.badDates}
      onShow={showRange}
    />
  );
}
