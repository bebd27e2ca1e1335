/** All panels of the overview, which are loaded after its first numbers. */
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Read } from '../../../api/use-read.ts';
import { Icon } from '../../../design/icon.tsx';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import type { KeptIds } from '../../../website/kept-ids.ts';
import { sceneKey } from '../../../website/scene.ts';
import { COUNTRIES, type List, PANELS, shownPanels } from '../panels.ts';
import type { View } from '../use-view.ts';
import { Countries } from './countries.tsx';
import { Panel } from './panel.tsx';
import { panelTexts } from './texts.ts';

interface PanelGridProps {
  readonly view: View;
  readonly read: Read<QueryBatch>;
  /** The lists that the call of the screen asks for. */
  readonly lists: readonly List[];
  /** The panels that were put away. */
  readonly away: KeptIds;
}

/** Each is drawn anew for what it shows, and not for another measure of the line or a list of another panel. */
export function PanelGrid({ view, read, lists, away }: PanelGridProps) {
  const { data, earlier, isOld, fault, again } = read;
  const { place, move } = useMoved(away);
  const scene = sceneKey(view);
  const hasFailed = fault !== undefined;
  const isAsked = (dataset: string) => lists.some((list) => list.dataset === dataset);
  return (
    <div class="stack" ref={place}>
      <div class="panels">
        {shownPanels(away).map((panel) => {
          // What has not come yet is shown as it was.
          const { dataset } = view.listOf(panel);
          const isLeft = earlier !== undefined && answerOf(data, dataset) === undefined;
          const batch = isLeft ? earlier : data;
          const isShownOld = isOld || isLeft;
          return (
            <Kept
              key={panel.key}
              of={[scene, dataset, answerOf(batch, dataset), mapOf(batch), isShownOld, hasFailed, lists]}
              draw={() => (
                <Panel
                  panel={panel}
                  view={view}
                  batch={batch}
                  isAsked={isAsked}
                  isOld={isShownOld}
                  hasFailed={hasFailed}
                  again={again}
                  onAway={() => move(panel.key)}
                >
                  {panel.key === 'places' && <Countries batch={batch} isOld={isShownOld} />}
                </Panel>
              )}
            />
          );
        })}
      </div>
      <PutAway away={away} onBack={move} />
    </div>
  );
}

/** The panels that were put away, each with a button that brings it back. */
function PutAway({ away, onBack }: { away: KeptIds; onBack: (key: string) => void }) {
  const t = panelTexts.value;
  const panels = PANELS.filter(({ key }) => away.has(key));
  if (panels.length === 0) return null;
  return (
    <ul class="row screen-only" aria-label={t.away}>
      <li class="soft">{t.away}:</li>
      {panels.map(({ key }) => (
        <li key={key}>
          <button
            class="button"
            type="button"
            data-panel={key}
            aria-label={t.bringBack(t.panels[key])}
            onClick={() => onBack(key)}
          >
            <Icon name="plus" />
            {t.panels[key]}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Puts panels away and brings them back; the focus goes with them. */
function useMoved(away: KeptIds) {
  const place = useRef<HTMLDivElement>(null);
  const moved = useRef<string>(null);
  useLayoutEffect(() => {
    if (moved.current === null) return;
    place.current?.querySelector<HTMLElement>(`[data-panel=${moved.current}]`)?.focus();
    moved.current = null;
  });
  const move = (key: string) => {
    moved.current = key;
    away.toggle(key);
  };
  return { place, move };
}

/** What the map shows stands beside whichever list of places is open. */
const mapOf = (batch: QueryBatch | undefined) => answerOf(batch, COUNTRIES.dataset);

interface KeptProps {
  /** What the drawing depends on; as many each time. */
  readonly of: readonly unknown[];
  readonly draw: () => ComponentChild;
}

/** Keeps what was drawn until something that it depends on is another. */
function Kept({ of, draw }: KeptProps) {
  return useMemo(draw, of);
}
