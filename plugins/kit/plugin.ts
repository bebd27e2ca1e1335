/** The entry `tidegate/plugin`: everything that a plugin author imports. */
export { z } from 'zod';
export type { Caller, GatewayCaller, TokenCaller } from '../../services/shared/access/caller.ts';
export { ApiError, type ApiErrorOptions, type ErrorDetail } from '../../services/shared/errors/api-error.ts';
export type { ErrorKind } from '../../services/shared/errors/catalogue.ts';
export { validationError } from '../../services/shared/errors/zod-details.ts';
export type { Endpoint } from '../../services/shared/plans/endpoint.ts';
export type { PlansFile } from '../../services/shared/plans/plans.ts';
export type { Clock } from '../../services/shared/ports/clock.ts';
export type {
  CounterStore,
  LimitDecision,
  LimitState,
  LimitUse,
} from '../../services/shared/ports/counter-store.ts';
export type { Count, Distribution, Level, Metrics } from '../../services/shared/ports/metrics.ts';
export { answerJson, answerNothing } from './answer.ts';
export { definePlugin, type PluginManifest } from './define-plugin.ts';
export {
  definePolicy,
  type Next,
  type ParameterFault,
  type PolicyContext,
  type PolicyDefinition,
  type PolicyFunction,
  type PolicyRequest,
  type PolicyRuntime,
  type ReadPath,
  type StepEndpoint,
  type StepPlace,
} from './policy.ts';
