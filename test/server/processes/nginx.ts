import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from './serve.ts';

const BINARY = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).error === undefined);

/** Reason why there is no nginx to test with; `undefined` if there is one. */
export const noNginx: string | undefined = BINARY === undefined ? 'nginx is not installed' : undefined;

/**
 * Starts a real nginx that distributes requests over the servers, configured as in docs/deploy.md, but on a Unix socket
 * and without TLS. Its answers name the server in `X-Served-By`.
 */
export async function startNginx(servers: readonly string[]): Promise<{ socketPath: string }> {
	const folder = temporaryFolder();
	const socketPath = path.join(folder, 'socket');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
	writeFileSync(
		path.join(folder, 'nginx.conf'),
		`daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
		events { worker_connections 1024; }
		http {
			access_log off;
			${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
			upstream sandglass { ${servers.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=30s;`).join(' ')} }
			server {
				listen unix:${socketPath};
				location / {
					proxy_pass http://sandglass;
					proxy_set_header Host $host;
					proxy_set_header X-Forwarded-For $http_x_client;
					proxy_http_version 1.1;
					proxy_set_header Connection "";
					proxy_buffering off;
					proxy_request_buffering off;
					proxy_next_upstream error timeout;
					client_max_body_size 256m;
					add_header X-Served-By $upstream_addr always;
				}
			}
		}`
	);
	const child = spawn(BINARY ?? 'nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'ignore' });
	const ended = once(child, 'exit');
	onTestFinished(async () => {
		child.kill('SIGKILL');
		await ended;
	});
	await vi.waitFor(() => {
		if (!existsSync(socketPath)) throw new Error('nginx does not listen yet.');
	}, 10_000);
	return { socketPath };
}

export interface Answered {
	status: number;
	headers: http.IncomingHttpHeaders;
	text: string;
	/** Set if it was complete. */
	whole: boolean;
}

/**
 * Sends one request through nginx.
 * @param client address that it claims to come from
 * @param onHeaders called with the answer's headers
 */
export function through(
	{ socketPath }: { socketPath: string },
	{
		method = 'GET',
		path: asked,
		client = '10.0.0.1',
		body = '',
		headers = {} as Record<string, string>
	}: {
		method?: string;
		path: string;
		client?: string;
		body?: string;
		headers?: Record<string, string>;
	},
	onHeaders: (headers: http.IncomingHttpHeaders) => void = () => undefined
): Promise<Answered> {
	return new Promise((resolve, reject) => {
		const own = { host: 'sandglass.test', 'x-client': client, 'content-length': Buffer.byteLength(body), ...headers };
		const request = http.request({ socketPath, method, path: asked, agent: false, headers: own }, (answer) => {
			onHeaders(answer.headers);
			let text = '';
			answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			answer.on('error', () => undefined); // aborted: 'close' reports it
			answer.on('close', () =>
				resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, whole: answer.complete })
			);
		});
		request.on('error', reject);
		request.end(body);
	});
}
