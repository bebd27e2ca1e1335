/** Every route of the resources service, by feature. */
import type { Route } from '../shared/http/route.ts';
import { type ApiKeyPorts, apiKeyRoutes } from './api-keys/routes.ts';
import { type AuditPorts, auditRoutes } from './audit/routes.ts';
import { type EvaluationPorts, evaluationRoutes } from './flags/evaluation-routes.ts';
import { type FlagPorts, flagRoutes } from './flags/routes.ts';
import { type MemberPorts, memberRoutes } from './members/routes.ts';
import { targetGroupRoutes } from './target-groups/routes.ts';
import { type WebsitePorts, websiteRoutes } from './websites/routes.ts';

/** What the resources service needs. */
export type ResourcesPorts = WebsitePorts &
  ApiKeyPorts &
  MemberPorts &
  AuditPorts &
  FlagPorts &
  EvaluationPorts;

export const resourcesRoutes: readonly Route<ResourcesPorts>[] = [
  ...websiteRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...flagRoutes,
  ...targetGroupRoutes,
  ...evaluationRoutes,
];
