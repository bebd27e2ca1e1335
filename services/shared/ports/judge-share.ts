/** The port that says whether a share can show its datasets: which those may be is known to queries. */
import type { ErrorDetail } from '../errors/api-error.ts';
import type { ViewState } from '../model/saved-view.ts';

/** Every fault of these names, each under `datasets`; empty: they may be shared, and take the filters of the view. */
export type JudgeShare = (datasets: readonly string[], state: ViewState) => readonly ErrorDetail[];
