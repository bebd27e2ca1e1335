/** Saved views on the wire: what a page shows of a website, kept under a name (contract.md section 9). */
import { z } from 'zod';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import { type SavedView, viewStateSchema } from '../../shared/model/saved-view.ts';
import type { JudgeViewState } from '../../shared/ports/judge-view-state.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { defineKeptResource, type KeptPorts } from '../kept/define-kept-resource.ts';

export interface ViewPorts extends KeptPorts {
  readonly judgeViewState: JudgeViewState;
}

/** As long as an address may be, since pages keep the state there (contract.md section 2, URI_TOO_LONG). */
export const MAX_STATE_BYTES = 8_192;
const MAX_BODY_BYTES = 65_536;

const fields = z.strictObject({
  name: nameSchema(),
  state: viewStateSchema.describe(
    `What is shown. A range is required: \`preset\`, or \`startDate\` and \`endDate\`. At most ${MAX_STATE_BYTES} bytes of JSON. What cannot be queried is refused.`,
  ),
});

export const viewRoutes = defineKeptResource({
  collection: 'views',
  path: '/v1/views',
  kind: 'saved view',
  about: 'What a page shows of a website, kept under a name: range, filters, granularity.',
  bounded: 'views',
  sortBy: ['createdAt', 'name'],
  searched: ['name'],
  fields,
  maxBytes: MAX_BODY_BYTES,
  example: {
    name: 'Newsletter readers',
    state: {
      preset: 'last_30d',
      timezone: 'Europe/Berlin',
      filters: [{ field: 'session_utm_source', op: 'eq', value: 'newsletter' }],
      display: { tab: 'pages' },
    },
  },
  async requireFree({ organizationId, id }: SavedView, { documents }: ViewPorts) {
    const where = [{ field: 'view' as const, values: [id] }];
    const { documents: found } = await documents.shares.search(organizationId, {
      limit: 1,
      sortBy: 'createdAt',
      where,
    });
    const [share] = found;
    if (share === undefined) return;
    throw new ApiError('CONFLICT', {
      text: `The share "${share.id}" shows this saved view to its readers: delete it first.`,
    });
  },
  async faultsOf({ state }, { judgeViewState }: ViewPorts): Promise<readonly ErrorDetail[]> {
    if (state === undefined) return [];
    const bytes = Buffer.byteLength(JSON.stringify(state));
    const message = `Came with ${bytes} bytes. Allowed: at most ${MAX_STATE_BYTES} bytes of JSON.`;
    return bytes > MAX_STATE_BYTES ? [{ field: 'state', message }] : judgeViewState(state);
  },
});
