/** The types of what travels between the pages and the API, taken from the services' own schemas: types alone, nothing of them runs here. */
export type { LimitInForce } from '../../../../plugins/kit/limits-in-force.ts';
export type { PlatformData, PlatformView } from '../../../../plugins/kit/platform-views.ts';
export type { DatasetAnswer, RequestAnswer as QueryAnswer } from '../../../query/answer-call.ts';
export type { CompiledDataset } from '../../../query/compile-call.ts';
export type { ApiKeyChanges, ApiKeyInput, ApiKeyView } from '../../../resources/api-keys/schema.ts';
export type { AuditName } from '../../../resources/audit/audit-names.ts';
export type { AuditRecordView } from '../../../resources/audit/schema.ts';
export type { FlagReason, FlagVerdict } from '../../../resources/flags/evaluate-flag.ts';
export type { FlagView } from '../../../resources/flags/schema.ts';
export type { FunnelView } from '../../../resources/funnels/schema.ts';
export type { GoalView } from '../../../resources/goals/schema.ts';
export type { LinkView } from '../../../resources/links/schema.ts';
export type { SlugView } from '../../../resources/links/slug-route.ts';
export type { MemberView } from '../../../resources/members/schema.ts';
export type { OwnOrganization } from '../../../resources/organizations/schema.ts';
export type { ShareView } from '../../../resources/shares/schema.ts';
export type { SharePageState } from '../../../resources/shares/share-page.ts';
export type { TargetGroupView } from '../../../resources/target-groups/schema.ts';
export type { PlanAdmission } from '../../../resources/usage/plans-route.ts';
export type { RequestCounts, UsageRow as RequestCountsRow } from '../../../resources/usage/requests-route.ts';
export type { IngestCounts } from '../../../resources/websites/ingest-route.ts';
export type { WebsiteChanges, WebsiteInput, WebsiteView } from '../../../resources/websites/schema.ts';
export type { Scope, ShippedScope } from '../../../shared/access/scopes.ts';
export type { InvitationView } from '../../../shared/accounts/invitation-schema.ts';
export type { OwnSession, SessionView } from '../../../shared/accounts/session-schema.ts';
export type { EventMatch } from '../../../shared/model/event-match.ts';
export type { FlagRule, FlagVariant } from '../../../shared/model/flag.ts';
export type { Role } from '../../../shared/model/user.ts';
export type { ShownShare } from '../../../shared/shares/shown-share.ts';

/** One reason for which events were dropped. */
export type IngestDrop =
  import('../../../resources/websites/ingest-route.ts').IngestCounts['dropped'][number];
export type { ViewState } from '../../../shared/model/saved-view.ts';

/** A saved view, as `GET /v1/views` shows it. */
export type SavedViewView = Omit<
  import('../../../shared/model/saved-view.ts').SavedView,
  'version' | 'ownerId'
> & { readonly shared: boolean };

/** An annotation, as `GET /v1/annotations` shows it. */
export type AnnotationView = Omit<
  import('../../../shared/model/annotation.ts').Annotation,
  'version' | 'ownerId'
> & { readonly shared: boolean };
