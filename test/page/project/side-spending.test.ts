import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { Usage } from '#llm/types.ts';
import { SideSpending } from '#page/project/side-spending.svelte.ts';
import type { StoredSession } from '#session/contract.ts';

const usage = (costUsd: number | null): Usage => ({
	inputTokens: 100,
	outputTokens: 10,
	reasoningTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd
});
const spent = (id: string, seq: number, costUsd: number): SessionEntry => {
	const event: SessionEvent = { type: 'usage', turnIndex: 0, usage: usage(costUsd), sessionId: 's', seq, timestamp: 0 };
	return { id, parentId: null, timestamp: 0, type: 'event', event };
};

function session(entries: SessionEntry[], branch: string[], state = new Map<string, unknown>()) {
	const log = { entries: () => entries, branch: () => entries.filter(({ id }) => branch.includes(id)) };
	const stored = {
		log,
		readPageState: async (key: string) => state.get(key),
		writePageState: async (key: string, value: unknown) => void state.set(key, structuredClone(value))
	} as unknown as StoredSession;
	return { stored, state };
}

describe('what a session cost beside its conversation', () => {
	it('is what was said on the branches that were left, each for itself', async () => {
		const entries = [spent('a', 1, 1), spent('old', 2, 2), spent('new', 2, 4)];
		const branch = ['a', 'old'];
		const { stored } = session(entries, branch);
		const spending = await SideSpending.open(stored);
		expect(spending.meters).toMatchObject({ costUsd: 4, inputTokens: 100 });
		branch.splice(0, 2);
		spending.look();
		expect(spending.meters).toMatchObject({ costUsd: 7, inputTokens: 300, outputTokens: 30, priced: true });
	});

	it('and drafts, which are there after a reload', async () => {
		const { stored, state } = session([spent('a', 1, 1)], ['a']);
		const spending = await SideSpending.open(stored);
		expect(spending.meters).toMatchObject({ costUsd: 0, priced: false });
		await spending.add(usage(0.25));
		await spending.add(usage(null));
		expect(spending.meters).toMatchObject({ costUsd: 0.25, priced: true, inputTokens: 200 });
		const again = await SideSpending.open(session([spent('a', 1, 1)], [], state).stored);
		expect(again.meters).toMatchObject({ costUsd: 1.25, inputTokens: 300 });
	});

	it('counts a draft that could not be kept, and takes nothing strange for one', async () => {
		const { stored } = session([], [], new Map([['spent-beside', { costUsd: 'much' }]]));
		stored.writePageState = async () => Promise.reject(new Error('full'));
		const spending = await SideSpending.open(stored);
		await expect(spending.add(usage(2))).rejects.toThrow('full');
		expect(spending.meters.costUsd).toBe(2);
	});
});
