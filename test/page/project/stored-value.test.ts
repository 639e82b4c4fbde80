import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredValue } from '#page/project/stored-value.ts';
import type { StoredSession } from '#session/contract.ts';

/** A tab: the events of its page, and the storage that survives a reload. */
function openTab() {
	const page = new EventTarget();
	const kept = new Map<string, string>();
	vi.stubGlobal('document', new EventTarget());
	vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
	vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
	vi.stubGlobal('sessionStorage', {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => kept.set(key, value),
		removeItem: (key: string) => kept.delete(key)
	});
	return { goes: () => page.dispatchEvent(new Event('pagehide')), kept };
}

/** A store that acknowledges a write only on request. */
function openStore(writable = true) {
	const state = new Map<string, unknown>();
	const waiting: (() => void)[] = [];
	const stored = {
		summary: { id: 'one' },
		writable,
		readPageState: async (key: string) => state.get(key),
		writePageState: (key: string, value: unknown) =>
			new Promise<void>((resolve) =>
				waiting.push(() => {
					state.set(key, value);
					resolve();
				})
			)
	};
	return {
		stored: stored as unknown as StoredSession,
		acknowledge: () => waiting.splice(0).forEach((write) => write())
	};
}

describe('a kept value', () => {
	const failed = vi.fn();
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => {
		vi.useRealTimers();
		vi.unstubAllGlobals();
		expect(failed).not.toHaveBeenCalled();
	});

	it.each([
		['not written yet', 100],
		['written, but not acknowledged', 400]
	])('is there again when the page goes while it is %s', async (_, passed) => {
		const tab = openTab();
		const { stored, acknowledge } = openStore();
		new StoredValue(stored, 'draft', () => 'begun', failed).touch();
		vi.advanceTimersByTime(passed);
		tab.goes();
		const next = new StoredValue(stored, 'draft', () => '', failed);
		expect(await next.read()).toBe('begun');
		acknowledge();
		await vi.waitFor(() => expect(tab.kept.size).toBe(0));
		expect(await next.read()).toBe('begun');
	});

	it('leaves nothing in the tab once the store has it', async () => {
		const tab = openTab();
		const { stored, acknowledge } = openStore();
		new StoredValue(stored, 'draft', () => 'begun', failed).touch();
		vi.advanceTimersByTime(400);
		acknowledge();
		await vi.advanceTimersByTimeAsync(0);
		tab.goes();
		expect(tab.kept.size).toBe(0);
	});
});
