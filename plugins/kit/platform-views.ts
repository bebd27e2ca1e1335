/** What operators may look at over HTTP: named views of the whole service, made by whoever runs the gateway. */

export const PLATFORM_VIEWS = [
  'configuration',
  'explain',
  'history',
  'upstreams',
  'organizations',
  'traffic',
  'limits',
] as const;
export type PlatformView = (typeof PLATFORM_VIEWS)[number];

/** The query string of a call, each name once. */
export type PlatformQuery = Readonly<Record<string, string>>;

/** By view: what it says now. @throws ApiError VALIDATION_ERROR for its query, SERVICE_UNAVAILABLE */
export type PlatformViews = Readonly<Record<PlatformView, (query: PlatformQuery) => Promise<object>>>;
