/** One flag: its form, what anybody gets by it, and its end. */
import { HOME } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { useRead } from '../../api/use-read.ts';
import { useWebsites } from '../../api/websites.ts';
import type { FlagView } from '../../api/wire.ts';
import { PageHead } from '../../design/page-head.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant } from '../../texts/format.ts';
import { EndOfFlag } from './end-of-flag.tsx';
import { Place, StatusBadge } from './flag-facts.tsx';
import { FlagForm } from './flag-form.tsx';
import { flagTexts } from './texts.ts';
import { TryIt } from './try-it.tsx';
import { WayBack } from './way-back.tsx';

export function OneFlag({ id }: { id: string }) {
  const t = flagTexts.value;
  const read = useRead<{ data: FlagView }>({ path: `/v1/flags/${encodeURIComponent(id)}` });
  const flag = read.data?.data;
  const websites = useWebsites(Boolean(flag?.websiteId)).data?.websites;
  return (
    <>
      <WayBack to={`${HOME}/flags`} text={t.title} />
      <PageHead
        title={flag?.name ?? t.title}
        lead={
          flag && (
            <span class="row">
              <bdi class="mono">{flag.key}</bdi>
              <StatusBadge of={flag} />
              <Place of={flag} websites={websites} />
            </span>
          )
        }
      />
      <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={16}>
        {(body) => {
          const version = { body, etag: read.etag };
          return (
            <div class="stack flag-parts">
              <FlagForm version={version} onSaved={read.take} onReload={read.again} />
              <TryIt flag={body.data} />
              <EndOfFlag version={version} onSaved={read.take} onReload={read.again} />
              <p class="small soft">{t.created(formatInstant(body.data.createdAt))}</p>
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
