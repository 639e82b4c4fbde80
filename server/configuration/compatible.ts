import { address, secret } from './fields.ts';

/** A server that speaks Chat Completions. `name` as in `compatible-<name>`. */
export interface CompatibleServer {
	name: string;
	baseUrl: string;
	key?: string;
	models: string[];
}

const VARIABLE = /^COMPATIBLE_([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_(BASE_URL|API_KEY|MODELS)$/;

/**
 * Reads `COMPATIBLE_<NAME>_BASE_URL`, `_API_KEY` and `_MODELS`.
 * @param problems receives messages, each naming its variable
 */
export function readCompatible(env: Readonly<Record<string, string>>, problems: string[]): CompatibleServer[] {
	const servers = new Map<string, { baseUrl?: string; key?: string; models: string[] }>();
	for (const [variable, value] of Object.entries(env)) {
		if (!variable.startsWith('COMPATIBLE_')) continue;
		const [, name, part] = VARIABLE.exec(variable) ?? [];
		if (!name) {
			problems.push(`${variable} is not a known setting; write COMPATIBLE_<NAME>_BASE_URL, _API_KEY or _MODELS.`);
			continue;
		}
		const server = servers.get(name) ?? { models: [] };
		servers.set(name, server);
		if (part === 'MODELS') {
			server.models = value.split(/[\s,]+/).filter((model) => model !== '');
			continue;
		}
		const parsed = (part === 'BASE_URL' ? address : secret).safeParse(value);
		if (!parsed.success) problems.push(`${variable} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
		else if (part === 'BASE_URL') server.baseUrl = parsed.data;
		else server.key = parsed.data;
	}
	const complete: CompatibleServer[] = [];
	for (const [name, { baseUrl, key, models }] of servers) {
		if (baseUrl) complete.push({ name: name.toLowerCase().replaceAll('_', '-'), baseUrl, key, models });
		else if (!(`COMPATIBLE_${name}_BASE_URL` in env))
			problems.push(`COMPATIBLE_${name}_BASE_URL is missing; the other COMPATIBLE_${name}_ settings need it.`);
	}
	return complete;
}
