/** All panels of the overview, which are loaded after its first numbers. */
import type { ComponentChild } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Read } from '../../../api/use-read.ts';
import type { QueryBatch } from '../../../website/batch.ts';
import { sceneKey } from '../../../website/scene.ts';
import { type List, PANELS } from '../panels.ts';
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
export function PanelGrid({ view, read: { data, isOld, fault, again }, lists }: PanelGridProps) {
  const scene = sceneKey(view);
  const hasFailed = fault !== undefined;
  const isAsked = (dataset: string) => lists.some((list) => list.dataset === dataset);
  return (
    <div class="panels">
      {PANELS.map((panel) => (
        <Kept
          key={panel.key}
          of={[scene, view.listOf(panel), data, isOld, hasFailed, lists]}
          draw={() => (
            <Panel
              panel={panel}
              view={view}
              batch={data}
              isAsked={isAsked}
              isOld={isOld}
              hasFailed={hasFailed}
              again={again}
            >
              {panel.key === 'places' && <Countries batch={data} isOld={isOld} />}
            </Panel>
          )}
        />
      ))}
    </div>
  );
}

interface KeptProps {
  /** What the drawing depends on; as many each time. */
  readonly of: readonly unknown[];
  readonly draw: () => ComponentChild;
}

/** Keeps what was drawn until something that it depends on is another. */
function Kept({ of, draw }: KeptProps) {
  return useMemo(draw, of);
}
