import type { GitTokens } from '../token/git-tokens.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { parseGitCall, type GitCall } from './git-call.ts';
import type { PackageCache } from './package-cache.ts';

/** Registry for programs that specify none: replaced by the server's. */
const PUBLIC_REGISTRY = new URL('https://registry.npmjs.org/');
const BODYLESS = new Set(['GET', 'HEAD']);
const PREFIX = 'x-egress-';

/** A request that could not be performed; `code` is what the program in the sandbox sees. */
export class EgressFailed extends Error {
	override readonly name = 'EgressFailed';
	constructor(
		readonly code: string,
		message: string
	) {
		super(message);
	}
}

export interface Doors {
	/** Origin of the server's `/api`, e.g. the page's own. */
	serverUrl: string;
	/** Registry behind `/api/npm`. */
	npmRegistry: string;
	/** Tokens of repositories, held in memory by the page. */
	tokens?: GitTokens;
	/** Asks whether a push may start with a known token; rejects if not. */
	permitPushToken?: (repository: string) => Promise<void>;
	fetch?: typeof fetch;
	/** Cache of packages for later projects. Absent: no cache. */
	packages?: PackageCache;
}

/**
 * Sends a request of the sandbox through the matching proxy route of the server. Rejects with {@link
 * EgressFailed}.
 */
export async function forward(request: WireRequest, doors: Doors): Promise<WireResponse> {
	const url = new URL(request.url);
	const registry = new URL(doors.npmRegistry);
	const call = request.purpose === 'git' ? parseGitCall(request.method, url) : null;
	if (call) return throughGit(request, url, call, doors);
	const stands = [registry, ...(request.purpose === 'npm' ? [PUBLIC_REGISTRY] : [])].find(
		({ host, pathname }) => url.host === host && url.pathname.startsWith(pathname)
	);
	if (stands && request.method === 'GET') return throughNpm(request, url, stands, doors);
	return throughEgress(request, doors);
}

async function throughGit(request: WireRequest, url: URL, call: GitCall, doors: Doors): Promise<WireResponse> {
	const door = new URL(
		`/api/git/${url.protocol.slice(0, -1)}/${encodeURIComponent(url.host)}${url.pathname}${url.search}`,
		doors.serverUrl
	);
	const headers = new Headers(request.headers.filter(([name]) => !/^(host|user-agent|authorization)$/i.test(name)));
	for (;;) {
		const authorization = doors.tokens?.authorization(call.repository);
		// By now the user has been asked about the transfer itself, including its changes.
		if (authorization !== undefined && call.access === 'push' && call.step === 'refs')
			await doors.permitPushToken?.(call.repository);
		if (authorization !== undefined) headers.set('Authorization', authorization);
		const response = await send(door, request, headers, doors);
		if (response.status === 401 && (await doors.tokens?.renew(call.repository, authorization, call.access))) continue;
		return answer(response, request.url, response.status, [...response.headers]);
	}
}

async function throughNpm(request: WireRequest, url: URL, registry: URL, doors: Doors): Promise<WireResponse> {
	const path = url.pathname.slice(registry.pathname.replace(/\/$/, '').length);
	const accept = request.headers.filter(([name]) => /^(accept|if-none-match)$/i.test(name));
	const headers = new Headers(accept);
	const door = new URL(`/api/npm${path.startsWith('/') ? '' : '/'}${path}${url.search}`, doors.serverUrl);
	const ask = () => send(door, request, headers, doors);
	const response = await (doors.packages?.through(url.href, headers.get('accept') ?? '', ask) ?? ask());
	return answer(response, request.url, response.status, [...response.headers]);
}

async function throughEgress(request: WireRequest, doors: Doors): Promise<WireResponse> {
	const headers = new Headers(request.headers.map(([name, value]): [string, string] => [`X-Egress-${name}`, value]));
	const door = new URL(`/api/egress?url=${encodeURIComponent(request.url)}`, doors.serverUrl);
	const response = await send(door, request, headers, doors);
	const status = Number(response.headers.get(`${PREFIX}status`));
	if (!status) throw await failure(response);
	const answered = [...response.headers]
		.filter(([name]) => name.startsWith(PREFIX) && name !== `${PREFIX}status`)
		.map(([name, value]): [string, string] => [name.slice(PREFIX.length), value]);
	return answer(response, request.url, status, answered);
}

async function send(door: URL, request: WireRequest, headers: Headers, doors: Doors): Promise<Response> {
	const fetcher = doors.fetch ?? ((...args) => fetch(...args));
	const body = request.body && !BODYLESS.has(request.method) ? request.body.slice() : null;
	const response = await fetcher(door, { method: request.method, headers, body, redirect: 'manual' }).catch(
		(error: unknown) => {
			throw new EgressFailed('ENETUNREACH', `The network cannot be reached: ${String(error)}`);
		}
	);
	const refused = response.headers.get('X-Sandglass-Error');
	if (refused === 'redirected') return redirect(response);
	if (refused !== null) throw await failure(response);
	return response;
}

/** Reconstructs the host's redirect, which the server returns in separate headers. */
function redirect({ headers }: Response): Response {
	const location = headers.get('X-Sandglass-Location') ?? '';
	return new Response(null, { status: Number(headers.get('X-Sandglass-Status')), headers: { location } });
}

/** Converts the server's own refusal to its sentence and the closest code for a program. */
async function failure(response: Response): Promise<EgressFailed> {
	const text = await response.text().catch(() => '');
	const sentence =
		/"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"') ??
		`The server answered ${response.status}.`;
	if (response.headers.get('X-Sandglass-Error') === 'upstream_not_found')
		return new EgressFailed('ENOTFOUND', sentence);
	const isAway = response.status === 502 || response.status === 504;
	return new EgressFailed(isAway ? 'ENETUNREACH' : 'ECONNREFUSED', sentence);
}

async function answer(
	response: Response,
	url: string,
	status: number,
	headers: [string, string][]
): Promise<WireResponse> {
	const body = await response.arrayBuffer().catch((error: unknown) => {
		throw new EgressFailed('ENETUNREACH', `The network was lost during an answer: ${String(error)}`);
	});
	return { status, statusText: response.statusText, headers, url, body: new Uint8Array(body) };
}
