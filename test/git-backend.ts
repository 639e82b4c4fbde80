import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

/** A server without a network: answers each request at once. */
export interface GitBackend {
	/** Repositories are at `<url>/<folder in dir>`. */
	url: string;
	/** Methods, paths and versions of the protocol of the requests so far. */
	requests: string[];
	respond: (request: WireRequest) => WireResponse;
}

/**
 * Serves the bare repositories in `dir` with the real `git http-backend`, for programs that wait for each answer: a
 * server in the same thread could not send one.
 *
 * @param knowsVersion2 false makes it answer in version 0 of the protocol only
 */
export function gitBackend(dir: string, knowsVersion2 = true): GitBackend {
	const backend = path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
	const requests: string[] = [];
	const respond = (request: WireRequest): WireResponse => {
		const { pathname, search } = new URL(request.url);
		const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
		const version = knowsVersion2 ? (headers['git-protocol'] ?? '') : '';
		requests.push([request.method, pathname, ...(version === '' ? [] : [version])].join(' '));
		const answer = spawnSync(backend, [], {
			input: request.body ?? '',
			maxBuffer: 1 << 28,
			env: {
				PATH: process.env['PATH'] ?? '',
				GIT_PROJECT_ROOT: dir,
				GIT_HTTP_EXPORT_ALL: '1',
				GIT_CONFIG_COUNT: '1',
				GIT_CONFIG_KEY_0: 'safe.directory',
				GIT_CONFIG_VALUE_0: '*',
				GIT_PROTOCOL: version,
				REQUEST_METHOD: request.method,
				PATH_INFO: pathname,
				QUERY_STRING: search.slice(1),
				CONTENT_TYPE: headers['content-type'] ?? '',
				REMOTE_ADDR: '127.0.0.1'
			}
		}).stdout;
		const end = answer.indexOf('\r\n\r\n');
		const head = answer.subarray(0, end).toString('latin1');
		return {
			status: Number(/^status: (\d+)/im.exec(head)?.[1] ?? 200),
			statusText: '',
			headers: [],
			url: request.url,
			body: new Uint8Array(answer.subarray(end + 4))
		};
	};
	return { url: 'http://backend.invalid', requests, respond };
}
