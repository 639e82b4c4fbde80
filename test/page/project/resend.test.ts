import { describe, expect, it } from 'vitest';
import type { EventBody } from '#agent/events.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { emptyUsage } from '#llm/usage.ts';
import { momentOfMessage } from '#page/project/resend.ts';
import type { Checkpoint } from '#workspace/contract.ts';

const checkpoint = (id: string): Checkpoint => ({ id, tree: `tree-${id}`, label: 'turn', timestamp: 0, entryId: 'x' });

/** Two tasks; before the second one the user changed files, which are in its checkpoint. */
function log() {
	const result = new MemoryLog();
	let seq = 0;
	const event = (body: EventBody): string =>
		result.append({ type: 'event', event: { sessionId: 's', seq: (seq += 1), timestamp: seq, ...body } });
	const task = (text: string, id: string): { end: string; seq: number } => {
		event({ type: 'state_change', from: 'idle', to: 'processing' });
		event({ type: 'user_input', content: [{ type: 'text', text }] });
		const asked = seq;
		result.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });
		result.append({ type: 'checkpoint', checkpointId: id, tree: `tree-${id}`, label: 'turn' });
		const end = event({
			...{ type: 'agent_end' },
			result: { text: '', stopReason: 'end_turn', turns: 1, usage: emptyUsage() }
		});
		event({ type: 'state_change', from: 'processing', to: 'idle' });
		return { end, seq: asked };
	};
	return { branch: () => result.branch(), first: task('one', '1'), second: task('two', '2') };
}

describe('momentOfMessage', () => {
	const checkpoints = ['0', '1', '2'].map(checkpoint);

	it('has the conversation before the message and the files its first step found', () => {
		const { branch, first, second } = log();
		expect(momentOfMessage(branch(), checkpoints, second.seq)).toMatchObject({ tree: 'tree-2', entryId: first.end });
	});

	it('is before the conversation began for the first message, and none for a message of another branch', () => {
		const { branch, first } = log();
		const moment = momentOfMessage(branch(), checkpoints, first.seq);
		expect(moment?.tree).toBe('tree-1');
		expect(branch().findIndex(({ id }) => id === moment?.entryId)).toBeLessThanOrEqual(0);
		expect(momentOfMessage(branch(), checkpoints, 999)).toBeNull();
	});
});
