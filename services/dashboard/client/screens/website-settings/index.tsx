/** The settings of a website: its name and domain, what is taken for it, the line for its pages, and its end. */
import { useState } from 'preact/hooks';
import { HOME, usePathPart } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { may } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { ingestTexts } from '../ingest/texts.ts';
import { Installation } from '../new-website/installation.tsx';
import { sqlTexts } from '../sql/texts.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { SettingsForm, type Version } from './settings-form.tsx';
import { settingsTexts } from './texts.ts';

export function WebsiteSettings() {
  const t = texts.value.website.settings;
  const id = usePathPart('websiteId');
  if (!may('manage:websites')) return <Forbidden title={t.title} />;
  return <Settings key={id} id={id} />;
}

function Settings({ id }: { id: string }) {
  const t = texts.value;
  const read = useRead<{ data: WebsiteView }>({ path: `/v1/websites/${encodeURIComponent(id)}` });
  const [saved, setSaved] = useState<Version & { readonly at: number }>();
  const [isDeleting, setDeleting] = useState(false);
  // What was saved here is newer than what was read, until it is read again.
  const found = read.data && { website: read.data.data, etag: read.etag ?? undefined };
  const version = saved && saved.at >= (read.at ?? 0) ? saved : found;
  return (
    <>
      <PageHead
        title={version?.website.name ?? t.website.settings.title}
        lead={version && <bdi>{version.website.domain}</bdi>}
      >
        <Button icon="arrow-left" href={`${HOME}/websites/${encodeURIComponent(id)}`}>
          {t.website.settings.overview}
        </Button>
        <Button icon="external-link" href={`${HOME}/websites/${encodeURIComponent(id)}/sharing`}>
          {settingsTexts.value.sharing}
        </Button>
        <Button icon="terminal" href={`${HOME}/websites/${encodeURIComponent(id)}/sql`}>
          {sqlTexts.value.link}
        </Button>
        <Button icon="activity" href={`${HOME}/websites/${encodeURIComponent(id)}/ingest`}>
          {ingestTexts.value.link}
        </Button>
      </PageHead>
      <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={16}>
        {() =>
          version && (
            <div class="stack website-settings">
              <SettingsForm
                version={version}
                onSaved={(next) => setSaved({ ...next, at: Date.now() })}
                onReload={read.again}
              />
              <Installation websiteId={version.website.id} domain={version.website.domain} />
              <section class="card stack">
                <h2>{t.website.remove.heading}</h2>
                <p>{t.website.remove.lead}</p>
                <div class="row">
                  <Button kind="danger" icon="trash-2" onClick={() => setDeleting(true)}>
                    {t.website.remove.open}
                  </Button>
                </div>
              </section>
              <p class="small soft">{t.website.settings.created(formatInstant(version.website.createdAt))}</p>
              {isDeleting && (
                <DeleteDialog
                  website={version.website}
                  etag={version.etag}
                  onClose={() => setDeleting(false)}
                  onReload={read.again}
                />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}
