import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { Refusal } from '../refusal.ts';

/** Connections to the operator's providers: no guard, since only the operator names them. */
export interface Upstream {
	/**
	 * @param timeoutMs until the answer's headers, and for each silence after them
	 * @throws Refusal 502 or 504; what the body stream failed with, when that came first
	 */
	send(request: {
		url: URL;
		method: string;
		headers: Record<string, string>;
		body: Readable | undefined;
		signal: AbortSignal;
		timeoutMs: number;
	}): Promise<http.IncomingMessage>;
	close(): void;
}

export function createUpstream(): Upstream {
	const agents = {
		'http:': new http.Agent({ keepAlive: true }),
		'https:': new https.Agent({ keepAlive: true })
	};
	return {
		send({ url, method, headers, body, signal, timeoutMs }) {
			return new Promise((resolve, reject) => {
				const secure = url.protocol === 'https:';
				const request = (secure ? https : http).request(url, {
					method,
					headers,
					signal,
					agent: agents[secure ? 'https:' : 'http:'],
					timeout: timeoutMs
				});
				request.once('response', resolve);
				request.once('timeout', () =>
					request.destroy(new Refusal(504, 'upstream_timeout', 'The provider did not answer in time. Try again later.'))
				);
				request.once('error', (error) => {
					body?.destroy();
					reject(
						error instanceof Refusal
							? error
							: new Refusal(502, 'upstream_unreachable', 'The provider could not be reached. Try again later.')
					);
				});
				if (body) {
					body.once('error', (error) => request.destroy(error));
					body.pipe(request);
				} else request.end();
			});
		},
		close() {
			agents['http:'].destroy();
			agents['https:'].destroy();
		}
	};
}
