import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import { playTurn, ScenarioPlayer } from '#llm/scenario/player.ts';
import type { Scenario, ScenarioFault } from '#llm/scenario/types.ts';
import { anthropic } from './anthropic.ts';
import { fillBlanks } from './fill.ts';
import type { WireFormat } from './format.ts';
import { gemini } from './gemini.ts';
import { modelList } from './model-list.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

const formats: WireFormat[] = [anthropic, openaiResponses, openaiChat, gemini];

export interface RecordedRequest {
	method: string;
	path: string;
	/** Wire format of the request. */
	format: string;
	headers: IncomingMessage['headers'];
	/** Parsed JSON. */
	body: unknown;
	/** Resolves when the connection is closed: `true` if the client left before the response was complete. */
	closed: Promise<boolean>;
}

/** A scenario and the requests it serves; the first match is used. */
export interface ScenarioRule {
	match: (request: RecordedRequest) => boolean;
	scenario: Scenario;
}

export interface ModelServer {
	/** `http://127.0.0.1:<port>`; each SDK's base URL is this, OpenAI's with `/v1` appended. */
	url: string;
	requests: RecordedRequest[];
	/** Errors thrown by `expect` functions; those requests were answered with 400. */
	failures: unknown[];
	close(): Promise<void>;
}

/** Starts a loopback server that plays scenarios over the wire of the requested provider's API. */
export async function startModelServer(scenario: Scenario | ScenarioRule[]): Promise<ModelServer> {
	const rules = Array.isArray(scenario) ? scenario : [{ match: () => true, scenario }];
	const players = rules.map((rule) => ({ match: rule.match, player: new ScenarioPlayer(rule.scenario) }));
	const requests: RecordedRequest[] = [];
	const failures: unknown[] = [];
	let serial = 0;
	let calls = 0;

	async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		// Pages send requests too, from another origin.
		response.setHeader('access-control-allow-origin', '*');
		response.setHeader('access-control-expose-headers', '*');
		if (incoming.method === 'OPTIONS') {
			const asked = incoming.headers['access-control-request-headers'] ?? '';
			response.writeHead(204, { 'access-control-allow-headers': asked, 'access-control-allow-methods': '*' }).end();
			return;
		}
		const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
		if (incoming.method === 'GET' && path.endsWith('/models')) return json(response, ...modelList(incoming.headers));
		const format = formats.find((each) => each.serves(path));
		if (!format) return json(response, 404, { error: { message: `Nothing is served at ${path}.` } });
		const text = await textOf(incoming);
		// The caller disconnected in the middle of the request.
		if (!incoming.complete || response.destroyed) return;
		const body: unknown = JSON.parse(text);
		const closed = once(response, 'close').then(() => !response.writableFinished);
		const request = {
			method: incoming.method ?? '',
			path,
			format: format.name,
			headers: incoming.headers,
			body,
			closed
		};
		requests.push(request);
		serial++;
		const player = players.find((each) => each.match(request))?.player;
		if (!player) return json(response, 400, format.failure(400, 'No scenario matches this request.'));
		let turn;
		try {
			turn = fillBlanks(player.next(), JSON.stringify(body));
			turn.expect?.(body);
		} catch (error) {
			failures.push(error);
			return json(response, 400, format.failure(400, String(error)));
		}
		const { fault } = turn;
		if (fault?.kind === 'status') return fail(response, format, fault);
		if (fault?.kind === 'garbage') return send(response, [fault.body], 0, undefined);
		const pace = turn.pace ?? { chunkCharacters: 16, delayMs: 0 };
		const played = playTurn(turn, format.tools(body), () => `call_${++calls}`);
		const options = { model: modelOf(body, path), chunkCharacters: pace.chunkCharacters, serial };
		if (!isStream(body, path)) return json(response, 200, format.whole(played, options));
		await send(response, format.frames(played, options), pace.delayMs, fault);
	}

	const server = createServer((incoming, response) => {
		answer(incoming, response).catch((error: unknown) => {
			failures.push(error);
			if (response.headersSent) response.destroy();
			else json(response, 400, { error: { message: String(error) } });
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { url: addressOf(server), requests, failures, close: () => close(server) };
}

function fail(response: ServerResponse, format: WireFormat, fault: ScenarioFault & { kind: 'status' }): void {
	if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(fault.retryAfterSeconds));
	if (fault.body === undefined) return json(response, fault.status, format.failure(fault.status, 'Scripted failure'));
	response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.body);
}

function json(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function send(
	response: ServerResponse,
	frames: string[],
	delayMs: number,
	fault: ScenarioFault | undefined
): Promise<void> {
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	response.flushHeaders();
	const limit = fault?.kind === 'cut' || fault?.kind === 'stall' ? fault.afterBytes : Infinity;
	let sent = 0;
	for (const frame of frames) {
		const bytes = Buffer.from(frame);
		const allowed = bytes.subarray(0, Math.max(0, limit - sent));
		sent += allowed.length;
		if (allowed.length > 0 && !response.write(allowed)) {
			await Promise.race([once(response, 'drain'), once(response, 'close')]);
		}
		if (response.destroyed) return;
		if (allowed.length < bytes.length) {
			// The bytes must be sent before the connection is closed.
			if (fault?.kind === 'cut') response.write('', () => response.socket?.resetAndDestroy());
			return;
		}
		if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
	}
	response.end();
}

const streamFlag = z.object({ stream: z.boolean().optional(), model: z.string().optional() });

function isStream(body: unknown, path: string): boolean {
	return path.endsWith(':streamGenerateContent') || streamFlag.parse(body).stream === true;
}

function modelOf(body: unknown, path: string): string {
	return streamFlag.parse(body).model ?? /models\/([^:]+):/.exec(path)?.[1] ?? 'unknown';
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString('utf8');
}

function addressOf(server: Server): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
	return `http://127.0.0.1:${address.port}`;
}

function close(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
