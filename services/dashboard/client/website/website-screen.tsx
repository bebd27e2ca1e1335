/** What every screen of a website has in common: its head with range and refresh, the way to the others, filters, and the website that is gone. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { usePathPart } from '../address.ts';
import { asMissing } from '../api/fault.ts';
import type { Read } from '../api/use-read.ts';
import { knownWebsite, useWebsite } from '../api/websites.ts';
import { PageHead } from '../design/page-head.tsx';
import { FaultNotice } from '../states/fault-notice.tsx';
import { usePart } from '../states/use-part.ts';
import { texts } from '../texts/texts.ts';
import { formatRange } from './formats.ts';
import { Dates, RangeBar } from './range-bar.tsx';
import type { SceneView } from './use-scene.ts';
import { WebsiteNav } from './website-nav.tsx';

/** The website of the screen, as an earlier screen knows it or the API tells it. */
export function useWebsiteOfPath(fault: Read<unknown>['fault']) {
  const id = usePathPart('websiteId');
  const [known] = useState(() => knownWebsite(id));
  return { id, ...useWebsite(id, known, fault) };
}

interface WebsiteScreenProps {
  readonly scene: SceneView;
  /** The call of the screen. */
  readonly read: Pick<Read<unknown>, 'data' | 'at' | 'fault' | 'repeatsAt' | 'again'>;
  /** The website, by {@link useWebsiteOfPath}. */
  readonly of: ReturnType<typeof useWebsiteOfPath>;
  /** What the screen is about, after the name of the website; absent: the overview. */
  readonly title?: string;
  /** Stands beside the dates. */
  readonly lead?: ComponentChildren;
  /** The screen compares nothing. */
  readonly hasNoComparison?: boolean;
  readonly children: ComponentChildren;
}

/** Whether the first numbers are there, or will not come. */
export const hasCome = ({ data, fault }: Pick<Read<unknown>, 'data' | 'fault'>): boolean =>
  data !== undefined || fault !== undefined;

const loadDrill = () => import('../drill/drill-bar.tsx');

export function WebsiteScreen(props: WebsiteScreenProps) {
  const { scene, read, of, title, lead, hasNoComparison, children } = props;
  const { summary, website } = of;
  const drill = usePart<typeof import('../drill/drill-bar.tsx')>(loadDrill, hasCome(read));
  const { name = texts.value.words.website, domain } = summary ?? {};
  if (website.fault?.kind === 'missing' || website.fault?.kind === 'forbidden') {
    return (
      <>
        <PageHead title={texts.value.words.website} />
        <FaultNotice fault={website.fault} />
      </>
    );
  }
  const fault = asMissing(read.fault) ?? website.fault;
  const source = read.fault ? read : website;
  return (
    <>
      <PageHead
        title={title === undefined ? name : `${name}: ${title}`}
        lead={
          <span class="row">
            <bdi>{domain ?? '…'}</bdi>
            <span>{formatRange(scene.range, scene.today)}</span>
            {lead}
          </span>
        }
      >
        <RangeBar view={scene} again={read.again} />
      </PageHead>
      <WebsiteNav websiteId={scene.websiteId} />
      <Dates view={scene} />
      {drill ? (
        <drill.DrillBar scene={scene} hasNoComparison={hasNoComparison} />
      ) : (
        <div class={`drill-bar screen-only ${hasNoComparison ? '' : 'compares'}`} />
      )}
      {fault && (
        <FaultNotice
          fault={fault}
          at={read.data ? read.at : undefined}
          repeatsAt={source.repeatsAt}
          again={source.again}
        />
      )}
      {children}
    </>
  );
}
