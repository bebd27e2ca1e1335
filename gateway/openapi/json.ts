/** What the parts of an OpenAPI document are made of. */
export type Json = Record<string, unknown>;
