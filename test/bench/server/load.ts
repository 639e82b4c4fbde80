import http from 'node:http';
import { text } from 'node:stream/consumers';
import { nowUs } from './messages.ts';

/** Request options of a subject for each kind of answer. */
export interface Subject {
	name: string;
	url: (kind: string) => string;
	headers: (kind: string) => Record<string, string>;
}

const messages = [{ role: 'user', content: 'x'.repeat(2_000) }];
let serial = 0;

/** Makes one call; `name` identifies it to the fake provider. */
function call(subject: Subject, kind: string, agent: http.Agent) {
	const name = `n${++serial}`;
	const body = JSON.stringify({ model: 'gpt-5.2', stream: !kind.startsWith('json'), user: name, messages });
	const request = http.request(subject.url(kind), {
		method: 'POST',
		agent,
		headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...subject.headers(kind) }
	});
	request.end(body);
	return { name, request };
}

function answered(request: http.ClientRequest): Promise<http.IncomingMessage> {
	return new Promise((resolve, reject) => {
		request.once('error', reject);
		request.once('response', (answer) => {
			if (answer.statusCode === 200) resolve(answer);
			else
				text(answer).then(
					(body) => reject(new Error(`The answer was ${answer.statusCode}: ${body.slice(0, 200)}`)),
					reject
				);
		});
	});
}

/**
 * Opens `streams` at once, spread over one interval, and reads all of them until they end.
 * @returns latency of each chunk in microseconds, sorted
 */
export async function chunkLatencies(subject: Subject, kind: string, streams: number, everyMs: number) {
	const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });
	const delays: number[] = [];
	const one = async (index: number): Promise<void> => {
		await new Promise((resolve) => setTimeout(resolve, (index * everyMs) / streams));
		const { request } = call(subject, kind, agent);
		const answer = await answered(request);
		answer.on('data', (chunk: Buffer) => {
			const now = nowUs();
			for (const [, at] of chunk.toString('latin1').matchAll(/"at":(\d+)/g)) delays.push(now - Number(at));
		});
		await new Promise((resolve, reject) => answer.once('end', resolve).once('error', reject));
	};
	await Promise.all(Array.from({ length: streams }, (_, index) => one(index)));
	agent.destroy();
	return Float64Array.from(delays).sort();
}

/** Requests small answers one after the other on `connections` connections for `ms`. @returns answers per second */
export async function requestsPerSecond(subject: Subject, connections: number, ms: number): Promise<number> {
	const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
	let done = 0;
	const start = performance.now();
	const one = async (): Promise<void> => {
		while (performance.now() - start < ms) {
			const answer = await answered(call(subject, 'json/0', agent).request);
			await new Promise((resolve, reject) => answer.resume().once('end', resolve).once('error', reject));
			done += 1;
		}
	};
	await Promise.all(Array.from({ length: connections }, one));
	const perSecond = (done * 1000) / (performance.now() - start);
	agent.destroy();
	return perSecond;
}

/** Opens `streams`, then aborts all of them. @returns when each was aborted, by its name for the fake provider */
export async function leaveAll(subject: Subject, kind: string, streams: number): Promise<Map<string, number>> {
	const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });
	const calls = Array.from({ length: streams }, () => call(subject, kind, agent));
	const answers = await Promise.all(calls.map(({ request }) => answered(request)));
	const left = new Map<string, number>();
	calls.forEach(({ name, request }, index) => {
		answers[index]?.on('error', () => undefined); // aborted on purpose
		left.set(name, nowUs());
		request.destroy();
	});
	agent.destroy();
	return left;
}

/** Opens a reader that takes the headers and then nothing. */
export async function paused(subject: Subject): Promise<{ leave(): void }> {
	const { request } = call(subject, 'endless/0', new http.Agent());
	const answer = await answered(request);
	answer.pause().on('error', () => undefined);
	return { leave: () => request.destroy() };
}
