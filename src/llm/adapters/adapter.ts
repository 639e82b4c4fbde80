import type { ChatQuirks } from '../compatible/quirks.ts';
import type { Adapter, OpaqueData, Request } from '../types.ts';

/** Where and how one configured provider is reached. */
export interface AdapterConfig {
	/** The name requests are routed by, also in errors and in what is kept of responses. */
	name: string;
	/** In the SDK's own form (OpenAI's ends in `/v1`). Absent: the provider's public address. */
	baseUrl?: string;
	/** Absent where a proxy adds it; the SDKs are given a placeholder then. */
	apiKey?: string;
	headers?: Record<string, string>;
	/** Tells apart accounts whose reasoning items are not interchangeable. */
	account?: string;
	fetch?: typeof globalThis.fetch;
	/** Of a server that speaks Chat Completions; absent: those known for its name or host. */
	quirks?: ChatQuirks;
}

export type CreateAdapter = (config: AdapterConfig) => Adapter;

/** The SDKs insist on a key; the proxy drops whatever comes and puts its own in. */
export const placeholderKey = 'held-by-the-server';

/** Tags a provider's own data with whom it may go back to. */
export function tag(config: AdapterConfig, request: Request, item: unknown): OpaqueData {
	const data: OpaqueData = { provider: config.name, model: request.model, item };
	if (config.account !== undefined) data.account = config.account;
	return data;
}

/** Whether data kept from an earlier response may be sent in this request. */
export function mayReturn(config: AdapterConfig, request: Request, data: OpaqueData | undefined): boolean {
	return (
		data !== undefined &&
		data.provider === config.name &&
		data.model === request.model &&
		data.account === config.account
	);
}
