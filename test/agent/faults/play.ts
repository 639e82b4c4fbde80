import { expect } from 'vitest';
import { MemoryLog, Session, type SessionEvent } from '#agent/index.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { ProviderError } from '#llm/errors.ts';
import type { Deadlines } from '#llm/deadlines.ts';
import { createClient } from '#llm/client.ts';
import { startModelServer } from '#test/model-server/server.ts';
import type { Wire } from '#test/llm/wires.ts';
import { ofType } from '../fake-session.ts';
import { echo, fakeProfile } from '../fake-tools.ts';
import type { FaultScript } from './generate.ts';

const codes = new Set([
	'authentication',
	'access_denied',
	'not_found',
	'invalid_request',
	'context_length',
	'quota',
	'content_filter',
	'rate_limit',
	'server',
	'timeout',
	'network',
	'stream',
	'unknown'
]);
/** Far more than any script needs; a longer run hangs. */
const HANG_MS = 60_000;

/**
 * Plays a fault through a provider's protocol and SDK, and then sends another message. The run must end by itself, with
 * an error of a known kind or a result; every start must have its end; and the session, or the same log reopened if the
 * error closed it, must answer the next message with a valid request.
 */
export async function playFault(
	wire: Wire,
	{ turns }: FaultScript,
	environment: ExecutionEnvironment,
	deadlines: Deadlines = { headersMs: 10_000, firstContentMs: 800, silenceMs: 300 }
) {
	const server = await startModelServer({ name: 'faults', turns, afterwards: { text: 'Healthy again.' } });
	const client = createClient({
		providers: { [wire.provider]: wire.config(server.url) },
		retry: { retries: 2, baseMs: 1, capMs: 5 },
		deadlines
	});
	const profile = fakeProfile([echo], { provider: wire.provider, model: wire.model });
	const options = { profile, environment, client, mode: 'full' as const, streamRetry: { delayMs: 1 } };
	const log = new MemoryLog();
	const session = new Session({ ...options, log, maxToolRoundsPerInput: 12 });
	const seen: SessionEvent[] = [];
	session.emitter.onEvent((event) => seen.push(event));
	try {
		const result = await withinLimit(session.submit('Go').result);
		if (result.stopReason === 'error') expect(codes).toContain(result.error?.code);
		else
			expect(['end_turn', 'max_tokens', 'turn_limit', 'failure_threshold', 'content_filter']).toContain(
				result.stopReason
			);
		for (const [start, end] of [
			['turn_start', 'turn_end'],
			['message_start', 'message_end'],
			['tool_call_start', 'tool_call_end'],
			['assistant_text_start', 'assistant_text_end'],
			['reasoning_start', 'reasoning_end'],
			['agent_start', 'agent_end']
		] as const)
			expect(ofType(seen, end), end).toHaveLength(ofType(seen, start).length);
		for (const { message } of ofType(seen, 'retry')) expect(message.length).toBeGreaterThan(5);

		const closed = session.state === 'closed';
		expect(closed).toBe(['authentication', 'context_length'].includes(result.error?.code ?? ''));
		// The script may have faults left: the next messages use them up, and then a healthy response follows. A session
		// closed by an error is reopened from its log.
		const reopened = (from: Session): Session =>
			new Session({ ...options, log: new MemoryLog(structuredClone(from.log.entries())) });
		let again = session;
		let text = '';
		for (let tries = 0; tries < turns.length + 3 && text !== 'Healthy again.'; tries++) {
			if (again.state === 'closed') again = reopened(again);
			({ text } = await withinLimit(again.submit('And now?').result));
		}
		expect(text).toBe('Healthy again.');
		return { result, seen };
	} finally {
		await session.abort();
		await server.close();
		// Any request that the server could not parse would be listed here.
		expect(server.failures).toEqual([]);
	}
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new ProviderError('unknown', false, 'The run hangs.', { provider: '' })), HANG_MS);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
