/** A number that leads to the sessions behind it, under the filters of the screen and those that say what was counted. */
import type { ComponentChildren } from 'preact';
import { useAddress } from '../../address.ts';
import type { Scene } from '../../website/scene.ts';
import { filtersText } from '../../website/scene-filters.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { type Behind, behindAll } from './sessions-behind.ts';
import { pathsTexts } from './texts.ts';

interface SessionsLinkProps {
  readonly scene: Scene;
  readonly parts: readonly Behind[];
  /** What was counted, in words. */
  readonly what: string;
  /** Parameters of the address beside the filters, such as another range. */
  readonly more?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

export function SessionsLink({ scene, parts, what, more, children }: SessionsLinkProps) {
  const t = pathsTexts.value;
  const { parameters } = useAddress();
  const { filters, isWhole } = behindAll(scene.filters, parts);
  const href = sceneAddress(scene.websiteId, 'sessions', parameters, {
    ...more,
    filters: filtersText(filters),
  });
  const title = isWhole ? t.sessions(what) : `${t.sessions(what)}. ${t.inPart}`;
  return (
    <a href={href} title={title}>
      {children}
    </a>
  );
}
