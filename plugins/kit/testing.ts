/** The entry `tidegate/testing`: runs one policy or a pipeline against a request, without a network. */
export type { PolicyParams, Step } from './testing/step.ts';
export { step } from './testing/step.ts';
export { TestClock } from './testing/test-clock.ts';
export { createTestGateway, type TestGateway, type TestGatewayOptions } from './testing/test-gateway.ts';
export type { TestAnswer, TestRequest } from './testing/test-request.ts';
