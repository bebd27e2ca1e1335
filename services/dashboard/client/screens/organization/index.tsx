/** The organization: its name and time zone, its plan and limits, and what it used. */
import { may, organization, session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { OwnOrganization } from '../../api/wire.ts';
import { PageHead } from '../../design/page-head.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { Limits } from './limits.tsx';
import { Usage } from './months-of-usage.tsx';
import { SettingsForm } from './settings.tsx';

export function Organization() {
  const t = texts.value.organization;
  return (
    <>
      <PageHead
        title={t.title}
        lead={
          <>
            <bdi>{organization.value?.name}</bdi>{' '}
            <code class="small">{session.value?.activeOrganizationId}</code>
          </>
        }
      />
      {may('manage:config') ? <Whole /> : <View />}
    </>
  );
}

/** What those see who may change it. */
function Whole() {
  const t = texts.value.organization;
  const read = useRead<{ data: OwnOrganization }>({ path: '/v1/organization' });
  const active = session.value?.active;
  return (
    <Loaded read={read} lines={24}>
      {({ data }) => (
        <div class="organization-parts">
          <section class="card stack">
            <h2>{t.settingsTitle}</h2>
            <SettingsForm stored={data} read={read} />
          </section>
          {active && <Limits active={{ ...active, ...data }} ownLimits={data.ownLimits} />}
          <Usage months={data.usage.months} />
        </div>
      )}
    </Loaded>
  );
}

/** What every role may know. */
function View() {
  const t = texts.value.organization;
  const active = session.value?.active;
  return (
    <div class="organization-parts">
      <section class="card stack">
        <h2>{t.settingsTitle}</h2>
        <dl class="facts">
          <dt>{texts.value.words.name}</dt>
          <dd>
            <bdi>{organization.value?.name}</bdi>
          </dd>
          <dt>{t.timezone}</dt>
          <dd>{timezone.value}</dd>
        </dl>
        <p class="hint">{t.askOwner}</p>
      </section>
      {active && <Limits active={active} />}
    </div>
  );
}
