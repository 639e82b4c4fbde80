import fc from '#test/fast-check.ts';
import { itemsOf } from '#agent/conversation.ts';
import { branchTo } from '#page/project/branch-to.ts';
import { eventsOf } from '#page/project/stored-events.ts';
import { Fold } from '#page/timeline/fold.ts';
import { itemText } from '#page/timeline/item-text.ts';
import type { ShareBundle } from '#session/contract.ts';
import { unpackBundle } from '#session/share/bundle.ts';
import { compress } from '#session/share/compression.ts';
import { ShareError } from '#session/share/errors.ts';
import { inspectReceipt } from '#session/share/inspect-receipt.ts';
import { chain, emptyShare, eventBody, messageBody } from './crafted.ts';
import { countSteps } from './counted.ts';

/** Does everything the page does with a share before the first click. */
export async function show(packed: Uint8Array): Promise<ShareBundle> {
	const bundle = await unpackBundle(packed);
	const branch = branchTo(bundle.entries, bundle.leaf ?? bundle.entries.at(-1)?.id ?? null);
	const fold = new Fold();
	for (const event of eventsOf(branch)) fold.push(event);
	fold.items.map(itemText);
	itemsOf(branch);
	await inspectReceipt(bundle);
	return bundle;
}

export const end = (callId: string) =>
	eventBody({ type: 'tool_call_end', callId, toolName: 'Bash', output: 'x', isError: false, durationMs: 1 });
export const nested = (index: number) => ({
	type: 'assistant_text_end',
	text: String(index),
	sessionId: 'n',
	seq: index + 1,
	timestamp: 0
});
export const result = (callId: string) => ({
	type: 'tool_result',
	callId,
	toolName: 'x',
	content: 'y',
	isError: false
});

/** An unpacked share. */
export const SHARE = JSON.stringify({
	...emptyShare,
	files: { 'a.txt': { mode: 0o100644, base64: 'YQ==' } },
	entries: chain([
		{ type: 'session', version: 3, sessionId: 's', title: '' },
		eventBody({ type: 'user_input', content: [{ type: 'text', text: 'Go.' }] }),
		messageBody('user', { type: 'text', text: 'Go.' }),
		end('a'),
		messageBody('tool', result('a'))
	]),
	receipt: [
		{
			callId: 'a',
			checkpoint: 'c',
			before: '0'.repeat(64),
			command: '0'.repeat(64),
			output: '0'.repeat(64),
			exitCode: 0,
			after: null
		}
	]
});
/** Parts replaced by something else, or repeated. */
const change = fc.record({
	at: fc.nat(SHARE.length),
	cut: fc.nat(30),
	put: fc.oneof(
		fc.constantFrom(
			'null',
			'{}',
			'[]',
			'-1',
			'1e999',
			'"e1"',
			'"e4"',
			'"__proto__"',
			'"constructor"',
			'\u0000',
			',',
			'}'
		),
		fc.string(),
		fc.nat(SHARE.length).map((from) => SHARE.slice(from, from + 60))
	)
});

/** Opens modified shares: each is shown or refused with a message, in a number of steps bounded by its length. */
export async function playChangedShares({
	count,
	seed
}: {
	count: number;
	seed?: number;
}): Promise<{ opened: number; refused: number }> {
	const outcomes = { opened: 0, refused: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
			const changed = changes.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), SHARE);
			const packed = await compress(new TextEncoder().encode(changed));
			await countSteps(changed.length * 20 + 5_000, async () => {
				try {
					await show(packed);
					outcomes.opened++;
				} catch (error) {
					if (!(error instanceof ShareError)) throw error;
					outcomes.refused++;
				}
			});
		}),
		{ numRuns: count, ...(seed === undefined ? {} : { seed }) }
	);
	return outcomes;
}
