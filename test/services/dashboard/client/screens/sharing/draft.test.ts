/** The form of a share: what is missing in it, the body of a new one, and of a change only what differs. */
import { expect } from 'chai';
import type { ShareView } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  bodyOf,
  changesOf,
  type Draft,
  draftOf,
  faultsOf,
  NEW,
  refusedDatasets,
} from '../../../../../../services/dashboard/client/screens/sharing/draft.ts';
import { DRAWN, isOffered } from '../../../../../../services/dashboard/client/share/shown-lists.ts';
import { SHAREABLE_DATASETS } from '../../../../../../services/query/shares/shareable-datasets.ts';
import { shareChangesSchema, shareInputSchema } from '../../../../../../services/resources/shares/schema.ts';

const ZONE = 'Europe/Berlin';
const NOW = Date.parse('2026-03-01T12:00:00Z');

const share = (own: Partial<ShareView> = {}): ShareView => ({
  ...{ id: 'shr_1', organizationId: 'org_1', websiteId: 'web_1', view: 'viw_1', name: 'Agency' },
  ...{ token: 'A'.repeat(43), expiresAt: null, hasPassword: false },
  datasets: ['summary_metrics', 'top_pages', 'web_vitals'],
  origins: ['https://www.example.com'],
  ...{ createdBy: 'usr_1', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
  ...own,
});
const change = (before: ShareView, edits: Partial<Draft>) =>
  changesOf({ ...draftOf(before, ZONE), ...edits }, before, ZONE);
const faults = (edits: Partial<Draft>, before: ShareView | null = null) =>
  faultsOf({ ...(before ? draftOf(before, ZONE) : { ...NEW, name: 'Agency' }), ...edits }, before, ZONE, NOW);

describe('the draft of a share', () => {
  it('offers boxes for nothing that cannot be shared', () => {
    expect(DRAWN.filter((name) => !SHAREABLE_DATASETS.has(name))).to.deep.equal([]);
    expect(NEW.datasets.filter((name) => !DRAWN.includes(name))).to.deep.equal([]);
  });

  it('offers lists of sessions, and those of pageviews only where a share has them', () => {
    expect(NEW.datasets.filter((name) => !isOffered(name))).to.deep.equal([]);
    expect(DRAWN.filter((name) => !isOffered(name))).to.have.members([
      ...['traffic_sources', 'top_referrers'],
      ...['utm_sources', 'utm_mediums', 'utm_campaigns', 'utm_terms', 'utm_content'],
    ]);
    const before = share({ datasets: ['traffic_sources', 'utm_content'] });
    expect(draftOf(before, ZONE)).to.deep.include({
      datasets: ['traffic_sources', 'utm_content'],
      further: '',
    });
    expect(change(before, {})).to.deep.equal({});
  });

  it('tells faults of typed names from those of boxes', () => {
    const draft = { ...NEW, datasets: ['top_pages', 'summary'], further: 'web_vitals\nnonsense' };
    const sent = bodyOf(draft, ZONE).datasets as readonly string[];
    const said = (...names: string[]) =>
      refusedDatasets(
        draft,
        names.map((name) => ({ field: `datasets[${sent.indexOf(name)}]`, message: `No ${name}.` })),
      );
    expect(said('nonsense')).to.deep.equal({ datasets: undefined, further: 'No nonsense.' });
    expect(said('summary', 'web_vitals')).to.deep.equal({
      datasets: 'No summary.',
      further: 'No web_vitals.',
    });
    expect(refusedDatasets(draft, [{ field: 'datasets', message: 'Too many.' }]).datasets).to.equal(
      'Too many.',
    );
    expect(refusedDatasets(draft, [{ field: 'name', message: 'No.' }])).to.deep.equal({
      datasets: undefined,
      further: undefined,
    });
  });

  it('is a body that the API takes, its day ending in the zone that is shown', () => {
    const draft = {
      ...{ ...NEW, name: 'Agency', isLocked: true, password: 'correct horse', lastDay: '2026-03-31' },
      ...{ further: ' web_vitals \n\nweb_vitals', origins: ' https://www.example.com \n' },
    };
    const body = bodyOf(draft, ZONE);
    expect(body).to.deep.include({
      datasets: [...NEW.datasets, 'web_vitals'],
      expiresAt: '2026-03-31T21:59:59.000Z',
      password: 'correct horse',
      origins: ['https://www.example.com'],
    });
    shareInputSchema.parse({ websiteId: 'web_1', view: 'viw_1', ...body });
    expect(bodyOf(NEW, ZONE)).to.deep.include({ expiresAt: null, password: null, origins: [] });
  });

  it('says what is missing before the API is asked', () => {
    expect(faults({})).to.deep.equal({});
    expect(
      faults({ name: ' ', datasets: [], isLocked: true, password: 'short', lastDay: '2026-02-28' }),
    ).to.deep.equal({
      name: 'nameMissing',
      datasets: 'datasetsMissing',
      password: 'passwordMissing',
      expiresAt: 'lastDayMissing',
    });
    expect(faults({ lastDay: 'soon' })).to.deep.equal({ expiresAt: 'lastDayMissing' });
    expect(faults({ lastDay: '2026-03-01' })).to.deep.equal({});
    expect(faults({ datasets: [], further: 'web_vitals' })).to.deep.equal({});
  });

  it('lets a password stay that nobody types anew, and an end that has passed', () => {
    const before = share({ hasPassword: true, expiresAt: '2026-01-31T22:59:59.000Z' });
    expect(faults({}, before)).to.deep.equal({});
    expect(faults({ password: 'short' }, before)).to.deep.equal({ password: 'passwordMissing' });
    expect(change(before, {})).to.deep.equal({});
  });

  it('sends of a change what differs alone', () => {
    const before = share();
    const edits: readonly [Partial<Draft>, object][] = [
      [{}, {}],
      [{ datasets: ['top_pages', 'summary_metrics'], origins: '\nhttps://www.example.com\n' }, {}],
      [{ name: 'Board' }, { name: 'Board' }],
      [{ datasets: ['top_pages'], further: '' }, { datasets: ['top_pages'] }],
      [{ origins: '' }, { origins: [] }],
      [{ isLocked: true, password: 'correct horse' }, { password: 'correct horse' }],
      [{ lastDay: '2026-03-31' }, { expiresAt: '2026-03-31T21:59:59.000Z' }],
    ];
    for (const [edit, sent] of edits) {
      expect(change(before, edit), JSON.stringify(edit)).to.deep.equal(sent);
      shareChangesSchema.parse(change(before, edit));
    }
    const locked = share({ hasPassword: true, expiresAt: '2026-03-31T21:59:59.000Z' });
    expect(change(locked, { isLocked: false, lastDay: '' })).to.deep.equal({
      password: null,
      expiresAt: null,
    });
  });
});
