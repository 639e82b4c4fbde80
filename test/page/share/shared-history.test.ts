import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { bundleAt, SharedHistory } from '#page/share/shared-history.ts';
import type { ShareBundle } from '#session/contract.ts';

const file = (text: string) => ({ mode: 0o100644, base64: btoa(text) });
const bodies: EventBody[] = [
	{ type: 'user_input', content: [{ type: 'text', text: 'Fix it' }] },
	{ type: 'checkpoint', checkpointId: 'c1', tree: 't1', label: 'turn' },
	{ type: 'tool_call_start', callId: 'a', toolName: 'edit_file', arguments: {} },
	{ type: 'tool_call_end', callId: 'a', toolName: 'edit_file', output: '', isError: false, durationMs: 1 },
	{ type: 'checkpoint', checkpointId: 'c2', tree: 't2', label: 'turn' },
	{ type: 'assistant_text_end', text: 'Done.' }
];
const events = bodies.map(
	(body, index) => ({ sessionId: 's', seq: index + 1, timestamp: index, ...body }) as SessionEvent
);
const bundle: ShareBundle = {
	version: 1,
	origin: { kind: 'files', name: 'x' },
	title: 'x',
	files: { 'a.txt': file('new'), 'b.txt': file('same') },
	removed: [],
	before: { 'a.txt': file('old') },
	entries: events.map((event, index) => ({
		id: `e${index}`,
		parentId: index === 0 ? null : `e${index - 1}`,
		timestamp: index,
		type: 'event',
		event
	})),
	checkpoints: [
		{ id: 'c0', tree: 't0', label: 'Imported', timestamp: 0, entryId: null },
		{ id: 'c1', tree: 't1', label: 'turn', timestamp: 1, entryId: 'e0' },
		{ id: 'c2', tree: 't2', label: 'turn', timestamp: 4, entryId: 'e3' }
	],
	history: [
		{ checkpoint: 'c1', files: {}, removed: [], empty: [] },
		{ checkpoint: 'c2', files: { 'a.txt': file('new') }, removed: [], empty: [] },
		{ checkpoint: null, files: {}, removed: ['b.txt'], empty: [] }
	],
	viewOnly: false
};

describe('SharedHistory', () => {
	const history = new SharedHistory(bundle, events);
	const at = async (moment: number, path: string) => {
		const entry = (await history.tree(moment)).get(path);
		return entry && new TextDecoder().decode(await history.read(entry.blob));
	};

	it('has the files of each checkpoint, from the import to the end', async () => {
		expect(history.moments.map(({ checkpoint, at: place }) => [checkpoint.id, place])).toEqual([
			['c0', 0],
			['c1', 2],
			['c2', 5]
		]);
		expect([await at(0, 'a.txt'), await at(1, 'a.txt'), await at(2, 'a.txt')]).toEqual(['old', 'old', 'new']);
		expect([await at(2, 'b.txt'), await at(3, 'b.txt')]).toEqual(['same', undefined]);
		await expect(history.tree(4)).rejects.toThrow('no such moment');
	});

	it('finds the moment of a position: after a change it is the next one', () => {
		expect([0, 1, 2, 3, 4, 5, 6].map((position) => history.momentAt(position))).toEqual([0, 0, 1, 1, 2, 2, 3]);
	});
});

describe('bundleAt', () => {
	it('ends conversation and files at a checkpoint', () => {
		const cut = bundleAt(bundle, 'c1');
		expect(cut.entries.map(({ id }) => id)).toEqual(['e0']);
		expect(cut.leaf).toBe('e0');
		expect(cut.history?.map(({ checkpoint }) => checkpoint)).toEqual(['c1']);
		expect(cut.checkpoints.map(({ id }) => id)).toEqual(['c0', 'c1']);
		expect(bundleAt(bundle, 'c0').history).toEqual([]);
		expect(() => bundleAt(bundle, 'other')).toThrow(RangeError);
	});
});
