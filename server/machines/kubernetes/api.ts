import http from 'node:http';
import https from 'node:https';
import { z } from 'zod';
import type { Cluster } from './cluster.ts';
import { errorOf, KubernetesError } from './status.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: string;
	/** Sent as JSON; as a merge patch with `PATCH`. */
	body?: unknown;
}

/** Client of an API server. Responses are parsed, and redirects are not followed. */
export class KubernetesApi {
	constructor(readonly cluster: Cluster) {}

	/** @throws KubernetesError if the server refuses, cannot be reached, or sends an unexpected response */
	async ask<Schema extends z.ZodType>(request: ApiRequest, schema: Schema): Promise<z.output<Schema>> {
		const { code, body } = await this.#send(request);
		if (code < 200 || code > 299) throw errorOf(code, body);
		const parsed = schema.safeParse(jsonOf(body));
		if (parsed.success) return parsed.data;
		const { path = [] } = parsed.error.issues[0] ?? {};
		throw new KubernetesError(code, `Kubernetes gave an invalid answer to ${request.path}: ${path.join('.')}`);
	}

	/** Headers that authenticate the caller. */
	headers(): Record<string, string> {
		const token = this.cluster.token();
		return token === undefined ? {} : { authorization: `Bearer ${token}` };
	}

	#send({ method, path, body }: ApiRequest): Promise<{ code: number; body: string }> {
		const sent = body === undefined ? undefined : JSON.stringify(body);
		const url = new URL(`${this.cluster.server}${path}`);
		return new Promise((resolve, reject) => {
			const fail = (error: Error): void => reject(new KubernetesError(0, `Kubernetes: ${error.message}`));
			const request = (url.protocol === 'https:' ? https : http).request(url, {
				...this.cluster.tls,
				method,
				timeout: TIMEOUT_MS,
				headers: {
					...this.headers(),
					accept: 'application/json',
					...(sent === undefined
						? {}
						: {
								'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
								'content-length': Buffer.byteLength(sent)
							})
				}
			});
			request.once('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} seconds`)));
			request.once('error', fail);
			request.once('response', (response) => {
				const chunks: Buffer[] = [];
				let size = 0;
				response.on('data', (chunk: Buffer) => {
					size += chunk.length;
					if (size > MAX_ANSWER_BYTES) request.destroy(new Error('the answer is too large'));
					else chunks.push(chunk);
				});
				response.once('error', fail);
				response.once('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
			});
			request.end(sent);
		});
	}
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
