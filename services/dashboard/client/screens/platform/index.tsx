/** What the gateways decide for everybody: for people who run the service. Which part is shown stands in the address. */
import type { ComponentType } from 'preact';
import { useAddress } from '../../address.ts';
import { session } from '../../api/session.ts';
import { PageHead } from '../../design/page-head.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { ConfigurationView } from './configuration.tsx';
import { ExplainView } from './explain.tsx';
import { HistoryView } from './history.tsx';
import { LimitsView } from './limits.tsx';
import { OrganizationsView } from './organizations.tsx';
import { platformTexts } from './texts.ts';
import { TrafficView } from './traffic.tsx';
import { UpstreamsView } from './upstreams.tsx';

const VIEWS = {
  traffic: TrafficView,
  limits: LimitsView,
  upstreams: UpstreamsView,
  organizations: OrganizationsView,
  configuration: ConfigurationView,
  explain: ExplainView,
  history: HistoryView,
} satisfies Record<string, ComponentType>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];

export function Platform() {
  const t = platformTexts.value;
  const { path, parameters, go } = useAddress();
  const chosen = NAMES.find((name) => name === parameters.view) ?? 'traffic';
  const Shown = VIEWS[chosen];
  if (session.value?.user.isOperator !== true) return <Forbidden title={t.title} hint={t.operatorsOnly} />;
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <section class="card stack">
        <Tabs
          label={t.parts}
          tabs={NAMES.map((key) => ({ key, text: t.views[key] }))}
          chosen={chosen}
          onChoose={(view) => go(path, { view })}
        >
          <Shown />
        </Tabs>
      </section>
    </>
  );
}
