/** The port that tells what a share shows: ranges and names of datasets are known to queries. */
import type { ViewState } from '../model/saved-view.ts';
import type { Share } from '../model/share.ts';
import type { ShownShare } from '../shares/shown-share.ts';

/** `state`: that of its view, as of now. @throws ApiError VALIDATION_ERROR for a state that cannot be queried any more */
export type DescribeShare = (share: Pick<Share, 'name' | 'datasets'>, state: ViewState) => ShownShare;
