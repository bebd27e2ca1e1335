/** The JSON types that an OpenAPI document is made of. */
export type Json = Record<string, unknown>;
