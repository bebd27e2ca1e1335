/** All panels of the overview, which are loaded after its first numbers. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Read } from '../../../api/use-read.ts';
import { Icon } from '../../../design/icon.tsx';
import { useOldClass } from '../../../states/use-old.ts';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import type { KeptIds } from '../../../website/kept-ids.ts';
import { sceneKey } from '../../../website/scene.ts';
import { COUNTRIES, type List, PANELS, type Panel as PanelOf, shownPanels } from '../panels.ts';
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

export function PanelGrid({ away, ...shown }: PanelGridProps) {
  const { place, move } = useMoved(away);
  return (
    <div class="stack" ref={place}>
      <div class="panels">
        {shownPanels(away).map((panel) => (
          <PanelPlace key={panel.key} panel={panel} {...shown} onAway={() => move(panel.key)} />
        ))}
      </div>
      <PutAway away={away} onBack={move} />
    </div>
  );
}

interface PanelPlaceProps extends Omit<PanelGridProps, 'away'> {
  readonly panel: PanelOf;
  readonly onAway: () => void;
}

/**
 * Draws the panel anew for what it shows, and not for another measure of the line or a list of another panel. While its numbers of another
 * range come, it stays as it was drawn, with the range that its numbers are of: to draw it once more would only delay what somebody pressed.
 */
function PanelPlace({ panel, view, lists, read, onAway }: PanelPlaceProps) {
  const { data, earlier, fault, again } = read;
  const { dataset } = view.listOf(panel);
  // What has not come yet is shown as it was.
  const isLeft = earlier !== undefined && answerOf(data, dataset) === undefined;
  const batch = isLeft ? earlier : data;
  const isOld = read.isOld || isLeft;
  const ofBatch = useRef({ view, lists });
  if (!isOld) ofBatch.current = { view, lists };
  const of = ofBatch.current;
  const hasFailed = fault !== undefined;
  const drawn = useMemo(
    () => (
      <Panel
        panel={panel}
        view={{ ...of.view, listOf: view.listOf }}
        batch={batch}
        isAsked={(asked) => of.lists.some((list) => list.dataset === asked)}
        hasFailed={hasFailed}
        again={again}
        onAway={onAway}
      >
        {panel.key === 'places' && <Countries batch={batch} />}
      </Panel>
    ),
    [sceneKey(of.view), dataset, answerOf(batch, dataset), mapOf(batch), hasFailed, of.lists],
  );
  return (
    <div class={`card panel panel-${panel.key} ${useOldClass(isOld)}`} aria-busy={isOld && read.isLoading}>
      {drawn}
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
