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

	it('sends what one task appends in one message, also where storage refuses it', async () => {
		const append = vi.fn(async (_entries: SessionEntry[]) => Promise.reject(new Error('full')));
		const log = new StoredSessionLog([], { append, flush: async () => {} });
		const ids = ['one', 'two'].map((label) => log.append({ type: 'label', targetId: '', label }));
		await vi.waitFor(() => expect(append).toHaveBeenCalled());
		await new Promise((resolve) => setImmediate(resolve));
		expect(append.mock.calls.map(([entries]) => entries.map(({ id }) => id))).toEqual([ids]);
	});

	it('stores what is appended while an earlier batch is on its way', async () => {
		const stored: SessionEntry[] = [];
		const waiting: (() => void)[] = [];
		const log = new StoredSessionLog([], {
			append: async (entries) => {
				// Like a message to a worker: its content at the time of posting.
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

	it('gives each entry an id of its own, also where random ones are the same', () => {
		const random = vi.spyOn(crypto, 'randomUUID');
		for (const id of ['aaaaaaaa', 'aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb'] as const)
			random.mockReturnValueOnce(`${id}-0000-4000-8000-000000000000`);
		const log = new StoredSessionLog([], { append: async () => {}, flush: async () => {} });
		const ids = [1, 2].map(() => log.append({ type: 'label', targetId: '', label: '' }));
		expect(ids).toEqual(['aaaaaaaa', 'bbbbbbbb']);
		random.mockRestore();
	});

	it('takes over the entries of another, with its ids, and only where it has none', async () => {
		const stored: SessionEntry[] = [];
		const sink = { append: async (entries: SessionEntry[]) => void stored.push(...entries), flush: async () => {} };
		const log = new StoredSessionLog([], sink);
		const entry = (id: string, parentId: string | null): SessionEntry =>
			({ id, parentId, timestamp: 1, type: 'label', targetId: '', label: id }) as const;
		log.adopt([entry('a', null), entry('b', 'a'), entry('c', 'b')]);
		expect(log.leafId()).toBe('c');
		const id = log.append({ type: 'label', targetId: '', label: 'd' });
		await log.flush();
		expect(stored.map((each) => each.id)).toEqual(['a', 'b', 'c', id]);
		expect(log.branch().map((each) => each.id)).toEqual(['a', 'b', 'c', id]);
		const reopened = new StoredSessionLog(log.entries().slice(0, 3), sink);
		expect(reopened.leafId()).toBe('c');
		expect(() => log.adopt([])).toThrow('Only an empty session can take over another one.');
		const empty = new StoredSessionLog([], sink);
		empty.adopt([]);
		expect(empty.leafId()).toBeNull();
	});

	it('sends what is appended in one task at once, and nothing where there is nothing', async () => {
		const sent: number[] = [];
		const flushed = vi.fn(async () => undefined);
		const log = new StoredSessionLog([], {
			append: async (entries) => void sent.push(entries.length),
			flush: flushed
		});
		await log.flush();
		expect([sent, flushed.mock.calls.length]).toEqual([[], 1]);
		for (const label of ['one', 'two', 'three']) log.append({ type: 'label', targetId: '', label });
		await vi.waitFor(() => expect(sent).toEqual([3]));
		log.append({ type: 'label', targetId: '', label: 'four' });
		// It needs no flush.
		await vi.waitFor(() => expect(sent).toEqual([3, 1]));
		log.append({ type: 'label', targetId: '', label: 'five' });
		await log.flush();
		expect(sent).toEqual([3, 1, 1]);
		log.entries().pop();
		expect(log.entries()).toHaveLength(5);
	});
});
