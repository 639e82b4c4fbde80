import { describe, expect, it, vi } from 'vitest';
import fc from '#test/fast-check.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { forkLog } from '#agent/fork.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import { branchTo } from '#page/project/branch-to.ts';
import type { ShareBundle } from '#session/contract.ts';
import { toBase64Url } from '#session/share/base64.ts';
import { unpackBundle } from '#session/share/bundle.ts';
import { compress } from '#session/share/compression.ts';
import { MAX_ENTRIES, reconnected } from '#session/share/entry-tree.ts';
import { ShareError } from '#session/share/errors.ts';
import { StoredSessionLog } from '#session/log.ts';
import { end, nested, playChangedShares, result, SHARE, show } from './changed-shares.ts';
import { chain, crafted, emptyShare, eventBody, messageBody, openCrafted } from './crafted.ts';
import { countSteps } from './counted.ts';

const label = (id: string, parentId: string | null) => ({
	id,
	parentId,
	timestamp: 0,
	type: 'label',
	targetId: '',
	label: ''
});

describe('the tree of a share', () => {
	it.each<[string, object[], string?]>([
		['a cycle of two entries', [label('a', 'b'), label('b', 'a')]],
		['a cycle after its root', [label('r', null), label('a', 'c'), label('b', 'a'), label('c', 'b')]],
		['an entry that is its own parent', [label('a', 'a')]],
		['a parent that is missing', [label('r', null), label('a', 'gone')]],
		['a child before its parent', [label('a', 'r'), label('r', null)]],
		['two entries of one id', [label('r', null), label('a', 'r'), label('a', 'r')]],
		['a place that is no entry', [label('r', null)], 'gone']
	])('is refused at once when it has %s', async (_, entries, leaf) => {
		const packed = await crafted({ ...emptyShare, entries, ...(leaf === undefined ? {} : { leaf }) });
		// The link that froze a tab had 370 characters.
		expect(toBase64Url(packed).length).toBeLessThan(400);
		const steps = await countSteps(10_000, () =>
			expect(show(packed)).rejects.toMatchObject({ code: 'malformed_tree', message: /does not hold together/ })
		);
		expect(steps).toBeLessThan(10_000);
	});

	it('ends where it has passed, in every log that reads one', async () => {
		const cycle = [label('a', 'b'), label('b', 'a')] as SessionEntry[];
		await countSteps(10_000, () => {
			const memory = new MemoryLog(cycle);
			expect(memory.branch().map(({ id }) => id)).toEqual(['a', 'b']);
			const stored = new StoredSessionLog([...cycle], { append: async () => {}, flush: async () => {} });
			expect(stored.branch().map(({ id }) => id)).toEqual(['a', 'b']);
			expect(branchTo(cycle, 'a').map(({ id }) => id)).toEqual(['b', 'a']);
			expect(forkLog(memory, 'a', 'new').entries()).toHaveLength(3);
		});
	});

	it('is one again where a damaged log lost lines', async () => {
		const damaged = [label('r', null), label('b', 'lost'), label('c', 'b'), label('d', 'r')] as SessionEntry[];
		const whole = reconnected(damaged);
		expect(whole.map(({ parentId }) => parentId)).toEqual([null, 'r', 'b', 'r']);
		expect((await openCrafted(whole)).entries).toHaveLength(4);
	});
});

describe('the size of a share', () => {
	it.each<[string, () => string]>([
		['arrays in each other', () => '['.repeat(100_000)],
		['objects in each other', () => '{"a":'.repeat(100_000)],
		['very many values', () => `[${'[],'.repeat(9_000_000)}0]`],
		['very many keys', () => `{${'"":0,'.repeat(9_000_000)}"":0}`]
	])('is found out before it is parsed: %s', async (_, json) => {
		const packed = await compress(new TextEncoder().encode(json()));
		const parse = vi.spyOn(JSON, 'parse');
		await expect(unpackBundle(packed)).rejects.toMatchObject({ code: 'too_complex', message: /more entries than/ });
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
	});

	it('is refused when a helper’s event holds one of a helper, and so on', async () => {
		let event: object = { type: 'turn_start', turnIndex: 0, sessionId: 's', seq: 1, timestamp: 0 };
		for (let depth = 0; depth < 1_000; depth++)
			event = { type: 'subagent_event', agentId: 'a', event, sessionId: 's', seq: 1, timestamp: 0 };
		await expect(openCrafted(chain([{ type: 'event', event }]))).rejects.toMatchObject({ code: 'too_complex' });
	});

	it('is refused when it has more entries than a session can have', async () => {
		const entries = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => label(String(index), null));
		await expect(openCrafted(entries)).rejects.toMatchObject({ code: 'too_complex' });
	});

	it.each<[string, (index: number) => Record<string, unknown>]>([
		['messages that nothing shows', (index) => messageBody('user', { type: 'text', text: `hidden ${index}` })],
		['ends of calls', (index) => end(`c${index}`)],
		['ends of one call', () => end('one')],
		['questions', (index) => eventBody({ type: 'question', callId: `c${index}`, question: '?' })],
		['events of one helper', (index) => eventBody({ type: 'subagent_event', agentId: 'a', event: nested(index) })],
		['results of one call', () => messageBody('tool', result('one'))],
		['compactions', () => ({ type: 'compaction', summary: 'x', firstKeptId: 'e0', beforeTokens: 0, afterTokens: 0 })]
	])('costs what it is long: %s', async (_, body) => {
		const [small, large] = [500, 4_000];
		const cost = async (count: number): Promise<number> => {
			const packed = await crafted({
				...emptyShare,
				entries: chain(Array.from({ length: count }, (__, at) => body(at)))
			});
			return countSteps(count * 1_000 + 100_000, () => show(packed));
		};
		const base = await cost(0);
		expect((await cost(large)) - base).toBeLessThan(((await cost(small)) - base) * (large / small) * 1.5);
	});
});

describe('any share at all', () => {
	it('is opened or refused in a sentence, in a bounded number of steps', async () => {
		const { opened, refused } = await playChangedShares({ count: 1_500 });
		expect(opened).toBeGreaterThan(100);
		expect(refused).toBeGreaterThan(500);
	});

	it('is refused in a sentence when it is no share', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, isPacked) => {
				await expect(show(isPacked ? await compress(bytes) : bytes)).rejects.toBeInstanceOf(ShareError);
			})
		);
	});

	it('has no file that is a name of every object’s own', async () => {
		const json = SHARE.replace('"a.txt"', '"__proto__"');
		const bundle = await unpackBundle(await compress(new TextEncoder().encode(json))).catch((error: unknown) => error);
		if (bundle instanceof ShareError) return;
		expect(Object.getPrototypeOf((bundle as ShareBundle).files)).toBe(Object.prototype);
	});
});
