import * as z from 'zod/mini';
import { tokenGate } from './token/gate.svelte.ts';

const Budget = z.object({ limitUsd: z.number(), remainingUsd: z.nullable(z.number()) });
/** Daily budget of a caller that uses the server's key, and its remainder; `null` if it is currently unknown. */
export type Budget = z.infer<typeof Budget>;

/** The part of the server's `/api/config` that the page uses. */
const ServerConfig = z.object({
	providers: z.array(
		z.object({
			id: z.string(),
			available: z.boolean(),
			models: z.array(z.string()),
			budget: z.optional(z.nullable(Budget))
		})
	),
	npmRegistry: z.string(),
	allowHosts: z.array(z.string()),
	/** Origins that the page may reach in addition to its own. */
	connectHosts: z._default(z.array(z.string()), []),
	webcontainer: z.optional(z.boolean()),
	/** Origin of the GitHub instance where the server signs users in. */
	gitHubSignIn: z.optional(z.nullable(z.string())),
	/** Operator's link to the source code; http or https, since it becomes a link. */
	sourceUrl: z.optional(z.nullable(z.string().check(z.regex(/^https?:\/\//)))),
	/** The server offers machines at `/api/machines`. */
	machines: z.optional(z.boolean()),
	/** Origins of previews in the order to try, `*` for a session-specific label. */
	previewOrigins: z._default(z.array(z.string()), [])
});
export type ServerConfig = z.infer<typeof ServerConfig>;

let asked: Promise<ServerConfig | null> | null = null;

/** Configuration of the server, requested once; `null` on static hosting, which has no such address. */
export function serverConfig(): Promise<ServerConfig | null> {
	asked ??= ask();
	return asked;
}

/** Requests the configuration again; keeps the previous one if the server does not answer. */
export async function serverConfigNow(): Promise<ServerConfig | null> {
	const now = await ask();
	if (now) asked = Promise.resolve(now);
	return now ?? serverConfig();
}

/** Returns true if this page has an origin to display servers on. */
export async function hasPreviewOrigin(): Promise<boolean> {
	return ((await serverConfig())?.previewOrigins ?? []).length > 0;
}

async function ask(): Promise<ServerConfig | null> {
	let answer: unknown;
	try {
		const response = await fetchConfig();
		if (!response?.ok) return null;
		answer = await response.json();
	} catch {
		return null;
	}
	const config = z.safeParse(ServerConfig, answer);
	return config.success ? config.data : null;
}

/** Asks for the server's token until it is accepted; `null` if the user continues without it. */
async function fetchConfig(): Promise<Response | null> {
	let headers: Record<string, string> = {};
	for (let refused = false; ; refused = true) {
		const response = await fetch('/api/config', { headers });
		if (response.status !== 401) return response;
		const token = await tokenGate.ask(refused);
		if (token === null) return null;
		headers = { 'X-Sandglass-Token': token };
	}
}
