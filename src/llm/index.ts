export { createClient, type ClientOptions, type Middleware } from './client.ts';
export { proxyProviders, directProvider } from './providers.ts';
export type { ProviderConfig, Api } from './adapters/registry.ts';
export { costOf, findModel, listModels, type CatalogModel } from './catalog.ts';
export { addUsage } from './usage.ts';
export { parsePartialObject, PartialJsonReader } from './partial-json.ts';
export * from './errors.ts';
export type * from './types.ts';
