import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ask, startUpstream } from '../start.ts';
import { serve, temporaryFolder } from './serve.ts';

const WORKERS = 24;
const CHUNKS = 20;
const WHOLE = Array.from({ length: CHUNKS }, (_, index) => `data: ${index}\n\n`).join('');
const SETTLED = 0.2;

export interface LoadReport {
	requests: number;
	/** Answers that differ from the expected ones. */
	wrong: string[];
	/** Memory of the server's process, after the first fifth of the time and at its end. */
	firstMB: number;
	lastMB: number;
	descriptorsAtFirst: number;
	descriptorsLeft: number;
	/** Calls that the provider still answers although their callers have left. */
	openBehindIt: number;
}

/**
 * Runs streams, aborted streams, shares, proxy routes and refusals, all at once, on the built server. Memory and
 * descriptors are read from `/proc`, so only on Linux.
 */
export async function playLoad(ms: number, seed: number): Promise<LoadReport> {
	const open = new Set<http.ServerResponse>();
	const provider = await startUpstream((request, response) => {
		buffer(request).then(
			() => stream(response),
			() => response.destroy()
		);
	});
	const stream = (response: http.ServerResponse): void => {
		open.add(response);
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		let sent = 0;
		const timer = setInterval(() => {
			response.write(`data: ${sent}\n\n`);
			sent += 1;
			if (sent === CHUNKS) response.end();
		}, 5);
		response.once('close', () => {
			clearInterval(timer);
			open.delete(response);
		});
	};
	const server = await serve({
		ANTHROPIC_API_KEY: 'sk-of-this-test',
		ANTHROPIC_BASE_URL: provider.url,
		COMPATIBLE_BOX_BASE_URL: `${provider.url}/v1`,
		SANDGLASS_ALLOW_HOSTS: provider.host,
		SANDGLASS_DAILY_USD: '999999',
		SANDGLASS_TRUST_PROXY: '1',
		SHARES_DIR: temporaryFolder()
	});
	let state = seed;
	const random = (below: number): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	const wrong: string[] = [];
	let requests = 0;
	/** Many clients, so that no limit is reached: each is remembered for its longest window, a day. */
	const from = () => ({ 'x-forwarded-for': `10.0.${random(8)}.${random(256)}` });
	const expectAnswer = async (path: string, init: Parameters<typeof ask>[1], status: number, text?: string) => {
		const answer = await ask(server.url + path, { ...init, headers: { ...from(), ...init?.headers } });
		if (answer.status !== status || (text !== undefined && answer.text !== text))
			wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 100)}`);
		return answer;
	};
	const kinds: (() => Promise<unknown>)[] = [
		() => expectAnswer('/api/llm/anthropic/v1/messages', { method: 'POST', body: '{}' }, 200, WHOLE),
		() => expectAnswer('/api/llm/compatible-box/chat/completions', { method: 'POST', body: '{}' }, 200, WHOLE),
		() => leave(`${server.url}/api/llm/anthropic/v1/messages`, from()),
		() => leave(`${server.url}/api/fetch?url=${provider.url}/`, from()),
		() => expectAnswer(`/api/fetch?url=${provider.url}/`, {}, 200, WHOLE),
		() => expectAnswer('/api/llm/openai/responses', { method: 'POST', body: '{}' }, 401),
		() => expectAnswer('/api/fetch?url=http://10.0.0.1/', {}, 403),
		async () => {
			const body = 'x'.repeat(random(20_000) + 1);
			const { text } = await expectAnswer('/api/shares?expires=60', { method: 'PUT', body }, 201);
			const { id, deleteToken } = JSON.parse(text);
			await expectAnswer(`/api/shares/${id}`, {}, 200, body);
			const headers = { 'x-delete-token': deleteToken };
			await expectAnswer(`/api/shares/${id}`, { method: 'DELETE', headers }, 204);
		}
	];
	const start = performance.now();
	const elapsed = (): number => performance.now() - start;
	let first: ReturnType<typeof usage> | undefined;
	const worker = async (): Promise<void> => {
		while (elapsed() < ms) {
			if (elapsed() > ms * SETTLED) first ??= usage(server.pid);
			requests += 1;
			await kinds[random(kinds.length)]?.().catch((error: unknown) => wrong.push(String(error)));
		}
	};
	await Promise.all(Array.from({ length: WORKERS }, worker));
	// Aborted calls are released at once; the bound only makes sure that a leak ends the test.
	for (let tries = 0; tries < 200 && open.size > 0; tries += 1) await new Promise((resolve) => setTimeout(resolve, 25));
	const last = usage(server.pid);
	wrong.push(
		...server
			.said()
			.split('\n')
			.filter((line) => line.includes('Warning'))
	);
	first ??= last;
	return {
		requests,
		wrong: wrong.slice(0, 5),
		firstMB: first.megabytes,
		lastMB: last.megabytes,
		descriptorsAtFirst: first.descriptors,
		descriptorsLeft: last.descriptors,
		openBehindIt: open.size
	};
}

/** Reads the first bytes of an answer and aborts. */
function leave(url: string, headers: Record<string, string>): Promise<void> {
	return new Promise((resolve, reject) => {
		const method = url.includes('/llm/') ? 'POST' : 'GET';
		const request = http.request(url, { method, headers, agent: false }, (answer) => {
			answer.once('data', () => {
				answer.on('error', () => undefined); // aborted on purpose
				request.destroy();
				resolve();
			});
		});
		request.on('error', reject);
		request.end(method === 'POST' ? '{}' : undefined);
	});
}

function usage(pid: number): { megabytes: number; descriptors: number } {
	const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return { megabytes: Math.round(Number(resident) / 1_024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
