/** Every route of the resources service, by feature. */
import type { Route } from '../shared/http/route.ts';
import { annotationRoutes } from './annotations/routes.ts';
import { type ApiKeyPorts, apiKeyRoutes } from './api-keys/routes.ts';
import { type AuditPorts, auditRoutes } from './audit/routes.ts';
import { type EvaluationPorts, evaluationRoutes } from './flags/evaluation-routes.ts';
import { type FlagPorts, flagRoutes } from './flags/routes.ts';
import { funnelRoutes } from './funnels/routes.ts';
import { goalRoutes } from './goals/routes.ts';
import { type IntegrationPorts, integrationRoutes } from './integrations/routes.ts';
import { type LinkPorts, linkRoutes } from './links/routes.ts';
import { linkSlugRoute } from './links/slug-route.ts';
import { type MemberPorts, memberRoutes } from './members/routes.ts';
import type { OwnOrganizationPorts } from './organizations/own-organization.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { type ProfilePorts, profileRoutes } from './profiles/routes.ts';
import { type SharePagePorts, sharePageRoute } from './shares/page-route.ts';
import { type SharePorts, shareRoutes } from './shares/routes.ts';
import { type UnlockPorts, unlockShareRoute } from './shares/unlock-route.ts';
import { targetGroupRoutes } from './target-groups/routes.ts';
import { type PlanPorts, planRoutes } from './usage/plans-route.ts';
import { usageRoutes } from './usage/requests-route.ts';
import { type ViewPorts, viewRoutes } from './views/routes.ts';
import { type VisitorPorts, visitorRoutes } from './visitors/routes.ts';
import { type IngestPorts, websiteIngestRoute } from './websites/ingest-route.ts';
import { type WebsitePorts, websiteRoutes } from './websites/routes.ts';

/** What the resources service needs. */
export type ResourcesPorts = WebsitePorts &
  ApiKeyPorts &
  MemberPorts &
  AuditPorts &
  VisitorPorts &
  ProfilePorts &
  LinkPorts &
  FlagPorts &
  EvaluationPorts &
  OwnOrganizationPorts &
  IntegrationPorts &
  ViewPorts &
  SharePorts &
  UnlockPorts &
  SharePagePorts &
  PlanPorts &
  IngestPorts;

export const resourcesRoutes: readonly Route<ResourcesPorts>[] = [
  ...websiteRoutes,
  websiteIngestRoute,
  ...visitorRoutes,
  ...profileRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...organizationRoutes,
  ...usageRoutes,
  ...planRoutes,
  ...integrationRoutes,
  ...viewRoutes,
  ...annotationRoutes,
  ...shareRoutes,
  unlockShareRoute,
  sharePageRoute,
  // Before the links by their identifiers, which would have its path.
  linkSlugRoute,
  ...linkRoutes,
  ...goalRoutes,
  ...funnelRoutes,
  ...flagRoutes,
  ...targetGroupRoutes,
  ...evaluationRoutes,
];
