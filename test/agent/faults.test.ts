import fc from '#test/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { defaultDeadlines } from '#llm/deadlines.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { wires } from '#test/llm/wires.ts';
import { faultScript } from './faults/generate.ts';
import { playFault } from './faults/play.ts';
import { ofType, typesOf } from './fake-session.ts';

let environment: ExecutionEnvironment;
beforeAll(async () => void (environment = await createTemporary()));
afterAll(async () => {
	await environment.cleanup();
	await removeTemporary();
});

/** A busy machine must not cause faults; only silence is timed. */
const patient = { headersMs: 20_000, firstContentMs: 20_000, silenceMs: 2_000 };
const call = { toolCalls: [{ name: 'echo', arguments: { text: 'out' } }] };

describe.each(wires)('$name', (wire) => {
	it.each([429, 500, 502, 503])(
		'%s is tried again after a pause, and the run goes on [9.11-2, S-24]',
		async (status) => {
			const turns = [{ fault: { kind: 'status' as const, status } }, { text: 'Well.' }];
			const { result, seen } = await playFault(wire, { name: '', turns }, environment, patient);
			expect(result).toMatchObject({ text: 'Well.', stopReason: 'end_turn' });
			expect(ofType(seen, 'retry')).toMatchObject([{ attempt: 1, delayMs: expect.any(Number) }]);
		}
	);

	it('a run with a retry ends only when its tools have run [J.9-4.7]', async () => {
		const turns = [{ fault: { kind: 'status' as const, status: 500 } }, call, { text: 'Done.' }];
		const { result, seen } = await playFault(wire, { name: '', turns }, environment, patient);
		expect(result.text).toBe('Done.');
		const order = typesOf(seen).filter((type) => /^(retry|tool_call_end|agent_end)$/.test(type));
		expect(order.slice(0, 3)).toEqual(['retry', 'tool_call_end', 'agent_end']);
	});

	it('a stream that falls silent ends in a timeout, never in a wait without end [J.9-5.4]', async () => {
		// Ten times the specified value: models pause to think in the middle, and only some protocols send pings.
		expect(defaultDeadlines.silenceMs).toBe(300_000);
		const stalled = { text: 'word '.repeat(400), fault: { kind: 'stall' as const, afterBytes: 1_500 } };
		const turns = [stalled, stalled, stalled];
		const { result, seen } = await playFault(wire, { name: '', turns }, environment, { ...patient, silenceMs: 300 });
		expect(result).toMatchObject({ stopReason: 'error', error: { code: 'timeout' } });
		expect(ofType(seen, 'retry')).toHaveLength(2);
	});

	it('whatever it does wrong, nothing hangs and the session stays usable', async () => {
		await fc.assert(
			fc.asyncProperty(faultScript, (script) => playFault(wire, script, environment).then(() => undefined)),
			{ numRuns: 8, seed: 20261121 }
		);
	});
});
