import { describe, expect, it } from 'vitest';
import { withPathLock, withPathLocks } from '#agent/tools/path-lock.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Work whose start and end are controlled by the test. */
function steps() {
	const order: string[] = [];
	const endings = new Map<string, () => void>();
	const work = (name: string) => async () => {
		order.push(`${name} begins`);
		await new Promise<void>((resolve) => endings.set(name, resolve));
		order.push(`${name} ends`);
		return name;
	};
	const end = async (name: string): Promise<void> => {
		endings.get(name)?.();
		await new Promise((resolve) => setImmediate(resolve));
	};
	return { order, work, end };
}
const environment = () => ({}) as ExecutionEnvironment;

describe('work on a file', () => {
	it('waits for the work before it, whether that succeeds or fails', async () => {
		const { order, work, end } = steps();
		const here = environment();
		const failing = withPathLock(here, 'a', () => Promise.reject(new Error('no')));
		const first = withPathLock(here, 'a', work('first'));
		const second = withPathLock(here, 'a', work('second'));
		await expect(failing).rejects.toThrow('no');
		await end('');
		expect(order).toEqual(['first begins']);
		await end('first');
		expect(order).toEqual(['first begins', 'first ends', 'second begins']);
		await end('second');
		expect(await Promise.all([first, second])).toEqual(['first', 'second']);
	});

	it('waits for all that is queued, also where it comes when the first of that has ended', async () => {
		const { order, work, end } = steps();
		const here = environment();
		for (const name of ['first', 'second']) void withPathLock(here, 'a', work(name));
		await end('');
		await end('first');
		void withPathLock(here, 'a', work('third'));
		await end('');
		expect(order).toEqual(['first begins', 'first ends', 'second begins']);
		await end('second');
		expect(order.slice(3)).toEqual(['second ends', 'third begins']);
		await end('third');
	});

	it('waits for nothing on another file or in another environment', async () => {
		const { order, work, end } = steps();
		const here = environment();
		void withPathLock(here, 'a', work('one'));
		void withPathLock(here, 'b', work('two'));
		void withPathLock(environment(), 'a', work('three'));
		await end('');
		expect(order).toEqual(['one begins', 'two begins', 'three begins']);
		for (const name of ['one', 'two', 'three']) await end(name);
	});

	it('on several files waits for each of them, and never for itself', async () => {
		const { order, work, end } = steps();
		const here = environment();
		void withPathLock(here, 'b', work('one'));
		const several = withPathLocks(here, ['c', 'b', 'c', 'a'], work('several'));
		const other = withPathLocks(here, ['a', 'c'], work('other'));
		await end('');
		expect(order).toEqual(['one begins']);
		await end('one');
		await end('several');
		await end('other');
		expect(order.slice(2)).toEqual(['several begins', 'several ends', 'other begins', 'other ends']);
		expect(await Promise.all([several, other])).toEqual(['several', 'other']);
		expect(await withPathLocks(here, [], () => Promise.resolve('none'))).toBe('none');
	});
});
