import type { ChatQuirks } from '../compatible/quirks.ts';
import type { Adapter, OpaqueData, Request } from '../types.ts';

/** Address and credentials of one configured provider. */
export interface AdapterConfig {
	/** Name that requests use; also used in errors and in stored provider data. */
	name: string;
	/** In the SDK's own form (OpenAI's ends in `/v1`). Defaults to the provider's public address. */
	baseUrl?: string;
	/** Absent if a proxy adds it; the SDKs then get a placeholder. */
	apiKey?: string;
	headers?: Record<string, string>;
	/** Distinguishes accounts whose reasoning items are not interchangeable. */
	account?: string;
	fetch?: typeof globalThis.fetch;
	/** Quirks of a server that speaks Chat Completions; defaults to those known for its name or host. */
	quirks?: ChatQuirks;
}

export type CreateAdapter = (config: AdapterConfig) => Adapter;

/** The SDKs require a key; the proxy drops it and uses its own. */
export const placeholderKey = 'held-by-the-server';

/** Tags a provider's own data with the provider, model and account it may be returned to. */
export function tag(config: AdapterConfig, request: Request, item: unknown): OpaqueData {
	const data: OpaqueData = { provider: config.name, model: request.model, item };
	if (config.account !== undefined) data.account = config.account;
	return data;
}

/** True if data stored from an earlier response may be sent in this request. */
export function mayReturn(config: AdapterConfig, request: Request, data: OpaqueData | undefined): boolean {
	return (
		data !== undefined &&
		data.provider === config.name &&
		data.model === request.model &&
		data.account === config.account
	);
}
