import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionLock } from '#session/lock.ts';
import { inTime } from '#test/in-time.ts';
import { Locks } from './histories/locks.ts';

beforeEach(() => void vi.stubGlobal('navigator', { locks: new Locks() }));
afterEach(() => void vi.unstubAllGlobals());

describe('the lock of a session', () => {
	it('is taken if no tab has it, without waiting for one, or from the tab that has it', async () => {
		const asked: LockOptions[] = [];
		const request = async (_name: string, options: LockOptions, callback: (lock: object | null) => unknown) => {
			asked.push(options);
			void callback(options.steal ? {} : null);
		};
		vi.stubGlobal('navigator', { locks: { request } });
		const lock = new SessionLock('s', () => undefined);
		expect(await inTime(lock.acquire(), 'no lock')).toBe(false);
		await inTime(lock.steal(), 'the lock');
		expect(asked).toEqual([{ ifAvailable: true }, { steal: true }]);
	});

	it('is lost by the tab that it is taken from, and free once the other gives it back', async () => {
		const lost: string[] = [];
		const [one, two, three] = ['one', 'two', 'three'].map((name) => new SessionLock('s', () => lost.push(name)));
		expect(await inTime(one!.acquire(), 'the lock')).toBe(true);
		await inTime(two!.steal(), 'the lock');
		await vi.waitFor(() => expect(lost).toEqual(['one']));
		one!.release();
		expect(await inTime(three!.acquire(), 'no lock')).toBe(false);
		expect(await inTime(new SessionLock('other', () => undefined).acquire(), 'another lock')).toBe(true);
		two!.release();
		await vi.waitFor(async () => expect(await inTime(three!.acquire(), 'the lock')).toBe(true));
		expect(lost).toEqual(['one']);
	});

	it('that the browser refuses is no lock that another tab has', async () => {
		const refused = new DOMException('no', 'SecurityError');
		vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(refused) } });
		const lost = vi.fn();
		await expect(inTime(new SessionLock('s', lost).acquire(), 'the refusal')).rejects.toBe(refused);
		expect(lost).not.toHaveBeenCalled();
	});
});
