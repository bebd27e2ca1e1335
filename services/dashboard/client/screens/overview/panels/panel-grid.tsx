/** All panels of the overview, which are loaded after its first numbers. */
import type { ComponentChild } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Read } from '../../../api/use-read.ts';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import { sceneKey } from '../../../website/scene.ts';
import { COUNTRIES, type List, PANELS } from '../panels.ts';
import type { View } from '../use-view.ts';
import { Countries } from './countries.tsx';
import { Panel } from './panel.tsx';

interface PanelGridProps {
  readonly view: View;
  readonly read: Read<QueryBatch>;
  /** The lists that the call of the screen asks for. */
  readonly lists: readonly List[];
}

/** Each is drawn anew for what it shows, and not for another measure of the line or a list of another panel. */
export function PanelGrid({ view, read: { data, earlier, isOld, fault, again }, lists }: PanelGridProps) {
  const scene = sceneKey(view);
  const hasFailed = fault !== undefined;
  const isAsked = (dataset: string) => lists.some((list) => list.dataset === dataset);
  return (
    <div class="panels">
      {PANELS.map((panel) => {
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
              >
                {panel.key === 'places' && <Countries batch={batch} isOld={isShownOld} />}
              </Panel>
            )}
          />
        );
      })}
    </div>
  );
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
