import { describe, expect, it, vi } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { StoredSessionLog } from '#session/log.ts';

describe('the log of a stored session', () => {
	it('branches from wherever the leaf was moved to', () => {
		const log = new StoredSessionLog([], { append: async () => {}, flush: async () => {} });
		const root = log.append({ type: 'session', version: 1, sessionId: 's', title: 't' });
		const left = log.append({ type: 'label', targetId: root, label: 'left' });
		log.moveTo(root);
		const right = log.append({ type: 'label', targetId: root, label: 'right' });
		expect(log.branch().map((entry) => entry.id)).toEqual([root, right]);
		log.moveTo(left);
		expect(log.branch().map((entry) => entry.id)).toEqual([root, left]);
		expect(() => log.moveTo('nowhere')).toThrow('no entry nowhere');
	});

	it('sends again what storage refused, in order and once', async () => {
		const stored: SessionEntry[] = [];
		let full = true;
		const log = new StoredSessionLog([], {
			append: async (entries) => {
				if (full) throw new Error('full');
				stored.push(...entries);
			},
			flush: async () => {}
		});
		const first = log.append({ type: 'label', targetId: '', label: 'one' });
		await expect(log.flush()).rejects.toThrow('full');
		full = false;
		const second = log.append({ type: 'label', targetId: '', label: 'two' });
		await log.flush();
		await log.flush();
		expect(stored.map((entry) => entry.id)).toEqual([first, second]);
	});

	it('stores what is appended while an earlier batch is on its way', async () => {
		const stored: SessionEntry[] = [];
		const waiting: (() => void)[] = [];
		const log = new StoredSessionLog([], {
			append: async (entries) => {
				// As a message to a worker: what it holds when it is posted.
				const posted = [...entries];
				await new Promise<void>((resolve) => waiting.push(resolve));
				stored.push(...posted);
			},
			flush: async () => {}
		});
		const ids = [log.append({ type: 'label', targetId: '', label: 'one' })];
		await vi.waitFor(() => expect(waiting).toHaveLength(1));
		ids.push(log.append({ type: 'label', targetId: '', label: 'two' }));
		const flushed = log.flush();
		waiting[0]?.();
		await vi.waitFor(() => expect(waiting).toHaveLength(2));
		waiting[1]?.();
		await flushed;
		expect(stored.map((entry) => entry.id)).toEqual(ids);
	});
});
