/** The port that says whether the state of a saved view can be queried: the rules are those of queries. */
import type { ErrorDetail } from '../errors/api-error.ts';
import type { ViewState } from '../model/saved-view.ts';

/** Every fault of its query parts, each under `state`; empty: it can be queried. */
export type JudgeViewState = (state: ViewState) => Promise<readonly ErrorDetail[]>;
