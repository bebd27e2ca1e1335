/** What operators may look at over HTTP: named views of the whole service, made by whoever runs the gateway. */
import type { z } from 'zod';
import type { platformSchemas } from './platform-schemas.ts';

export type PlatformView = keyof typeof platformSchemas;

/** The query string of a call, each name once. */
export type PlatformQuery = Readonly<Record<string, string>>;

/** The same, which nobody changes. */
type Unchanged<T> = T extends readonly (infer Of)[]
  ? readonly Unchanged<Of>[]
  : T extends object
    ? { readonly [Name in keyof T]: Unchanged<T[Name]> }
    : T;

/** What a view says. */
export type PlatformData<View extends PlatformView> = Unchanged<z.output<(typeof platformSchemas)[View]>>;

/** By view: what it says now. @throws ApiError VALIDATION_ERROR for its query, SERVICE_UNAVAILABLE */
export type PlatformViews = {
  readonly [View in PlatformView]: (query: PlatformQuery) => Promise<PlatformData<View>>;
};
