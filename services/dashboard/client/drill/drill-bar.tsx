/** Filters as chips, what the numbers are compared with, and saved views: the line below the head of each screen of a website. */
import { useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { MOST_FILTERS, withFilter } from '../website/scene-filters.ts';
import type { SceneView } from '../website/use-scene.ts';
import { CompareChoice } from './compare-choice.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { filterText } from './filter-text.ts';
import { drillTexts } from './texts.ts';
import { ViewsDialog } from './views-dialog.tsx';

export interface DrillBarProps {
  readonly scene: SceneView;
  /** The screen compares nothing. */
  readonly hasNoComparison?: boolean;
}

/** `views`: the saved ones; a number: the filter at that place is changed; `new`: one is added. */
type Open = 'views' | 'new' | number | null;

export function DrillBar({ scene, hasNoComparison = false }: DrillBarProps) {
  const t = drillTexts.value;
  const [open, setOpen] = useState<Open>(null);
  const { filters } = scene;
  const close = () => setOpen(null);
  return (
    <section class="drill-bar row screen-only" aria-label={t.filters}>
      <Button icon="plus" shortcut="f" isBusy={filters.length >= MOST_FILTERS} onClick={() => setOpen('new')}>
        {t.add}
      </Button>
      {filters.map((filter, index) => {
        const text = filterText(filter);
        return (
          <span key={`${filter.of} ${text}`} class="chip">
            <button type="button" class="drill" onClick={() => setOpen(index)}>
              <bdi>{text}</bdi>
            </button>
            <Button
              kind="plain"
              icon="x"
              label={t.remove(text)}
              onClick={() => scene.showFilters(filters.filter((_, at) => at !== index))}
            >
              {''}
            </Button>
          </span>
        );
      })}
      {filters.length > 1 && (
        <Button kind="plain" onClick={() => scene.showFilters([])}>
          {t.clear}
        </Button>
      )}
      <span class="row drill-end">
        <Button onClick={() => setOpen('views')}>{t.views.title}</Button>
        {!hasNoComparison && <CompareChoice scene={scene} />}
      </span>
      {open === 'views' && <ViewsDialog scene={scene} onClose={close} />}
      {(open === 'new' || typeof open === 'number') && (
        <FilterDialog
          filter={typeof open === 'number' ? filters[open] : undefined}
          onClose={close}
          onDone={(next) => {
            close();
            scene.showFilters(
              typeof open === 'number'
                ? filters.map((each, at) => (at === open ? next : each))
                : withFilter(filters, next),
            );
          }}
        />
      )}
    </section>
  );
}
