/** For Node: reads keys from the process's environment. Pages use `proxyProviders` instead. */
import process from 'node:process';
import type { ProviderConfig } from './adapters/registry.ts';
import { type ClientOptions, createClient } from './client.ts';
import { knownServers } from './compatible/servers.ts';
import { directProvider } from './providers.ts';
import type { Client } from './types.ts';

type Variables = Record<string, string | undefined>;

const known = [
	{ name: 'anthropic', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
	{ name: 'openai', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
	{ name: 'gemini', key: 'GEMINI_API_KEY', address: 'GOOGLE_GEMINI_BASE_URL' }
];

/**
 * Providers that the environment has keys for: known services by their own variables, and `compatible-<name>`
 * for each `COMPATIBLE_<NAME>_BASE_URL`.
 */
export function providersFromEnvironment(variables: Variables = process.env): Record<string, ProviderConfig> {
	const providers: Record<string, ProviderConfig> = {};
	for (const { name, key, address } of known) {
		const apiKey = variables[key];
		if (apiKey) providers[name] = directProvider(name, apiKey, variables[address]);
	}
	for (const { name, api, baseUrl, keyVariable, headers } of knownServers) {
		const apiKey = keyVariable && variables[keyVariable];
		if (apiKey && baseUrl) providers[`compatible-${name}`] = { api, baseUrl, apiKey, ...(headers ? { headers } : {}) };
	}
	for (const [variable, address] of Object.entries(variables)) {
		const server = /^COMPATIBLE_([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1];
		if (!server || !address) continue;
		const name = `compatible-${server.toLowerCase().replaceAll('_', '-')}`;
		providers[name] = directProvider(name, variables[`COMPATIBLE_${server}_API_KEY`], address);
	}
	return providers;
}

/**
 * Creates a client for the providers that the environment has keys for. Without any, each request ends with a
 * `ConfigurationError`.
 * @param variables defaults to the process's own
 */
export function createClientFromEnvironment(
	variables?: Variables,
	options: Omit<ClientOptions, 'providers'> = {}
): Client {
	return createClient({ ...options, providers: providersFromEnvironment(variables) });
}
