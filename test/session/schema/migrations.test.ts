import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { MemoryLog } from '#agent/memory-log.ts';
import { itemsOf } from '#agent/conversation.ts';
import { parseEntries } from '#session/schema/entries.ts';
import { migrateEntries } from '#session/schema/migrations.ts';

const said = (role: string, text: string) => ({ type: 'message', timestamp: 1, message: { role, content: text } });
const root = (version: number) => ({ type: 'session', timestamp: 1, version, sessionId: 's', title: 'T' });

/** The same session as written by each version. */
const versions: Record<number, unknown[]> = {
	1: [root(1), said('user', 'Hello'), said('assistant', 'Hi.')],
	2: [
		{ ...root(2), id: 'a', parentId: null },
		{ ...said('user', 'Hello'), id: 'b', parentId: 'a' },
		{ ...said('assistant', 'Hi.'), id: 'c', parentId: 'b' }
	],
	3: [
		{ ...root(3), id: 'a', parentId: null },
		{
			type: 'message',
			timestamp: 1,
			id: 'b',
			parentId: 'a',
			message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
		},
		{
			type: 'message',
			timestamp: 1,
			id: 'c',
			parentId: 'b',
			message: { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }
		}
	]
};

describe('an older session', () => {
	it.each([1, 2, 3])('of version %s reads as today’s [S-33]', (version) => {
		const { entries, warnings } = parseEntries(versions[version] ?? []);
		expect(warnings).toEqual([]);
		expect(entries[0]).toMatchObject({ type: 'session', version: 3 });
		const messages = itemsOf(new MemoryLog(entries).branch()).map(({ message }) => message);
		expect(messages).toEqual([
			{ role: 'user', content: [{ type: 'text', text: 'Hello' }] },
			{ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }
		]);
	});

	it.each([1, 2, 3])('of version %s with damaged lines keeps the rest and names them [S-33]', (version) => {
		const lines = [...(versions[version] ?? []), null, { type: 'message' }, 'noise'];
		const { entries, warnings } = parseEntries(lines);
		expect(entries).toHaveLength(3);
		expect(warnings).toHaveLength(3);
	});

	it('is left as it is when it is newer, with a sentence', () => {
		const { warnings } = parseEntries([{ ...root(4), id: 'a', parentId: null }]);
		expect(warnings).toEqual([expect.stringContaining('newer Sandglass (version 4)')]);
	});

	it('keeps the ids, places and texts that its lines have, and the damaged ones as they are', () => {
		const lines = [
			root(1),
			{ ...said('user', 'Hello'), id: 'own', parentId: 'elsewhere' },
			['no line'],
			{ ...said('user', 'x'), message: { role: 'user', content: [{ type: 'text', text: 'parts already' }] } },
			{ type: 'label', message: { content: 'no message' } },
			{ type: 'message', message: null },
			7
		];
		expect(migrateEntries(lines)).toEqual({
			values: [
				{ ...root(3), id: 'entry-1', parentId: null },
				{
					type: 'message',
					timestamp: 1,
					id: 'own',
					parentId: 'elsewhere',
					message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
				},
				{ ...(lines[3] as object), id: 'entry-3', parentId: 'own' },
				{ type: 'label', message: { content: 'no message' }, id: 'entry-4', parentId: 'entry-3' },
				{ type: 'message', message: null, id: 'entry-5', parentId: 'entry-4' },
				['no line'],
				7
			],
			warnings: []
		});
	});

	it('is as old as its first line of a session says, whatever stands before that', () => {
		for (const before of [null, { type: 'label', version: 3 }, { type: 'label' }])
			expect(migrateEntries([before, root(1)]).values).toContainEqual({
				...root(3),
				id: expect.any(String),
				parentId: before && 'entry-1'
			});
		const newer = [
			{ type: 'label', version: 1 },
			{ ...root(3), id: 'a', parentId: null }
		];
		expect(migrateEntries(newer).values).toEqual(newer);
	});

	it('gets no ids and places where lines had these already, and one has none', () => {
		const lines = [{ ...root(2), id: 'a', parentId: null }, said('user', 'Hello')];
		const [, line] = migrateEntries(lines).values;
		expect(Object.keys(line as object).sort()).toEqual(['message', 'timestamp', 'type']);
	});

	it.each([0, -1, 3, 4, '1', undefined])('is not migrated when its version is %j', (version) => {
		const lines = [{ ...root(1), version }, said('user', 'as it is')];
		const { values } = migrateEntries(lines);
		expect(values).toEqual(lines);
		expect(values).not.toBe(lines);
	});

	it('is of today where no line says otherwise', () => {
		const lines = [said('user', 'as it is'), null, [{ type: 'session', version: 1 }]];
		expect(migrateEntries(lines)).toEqual({ values: lines, warnings: [] });
	});

	it('is never made worse by a second migration, whatever stands in it', () => {
		const line = fc.oneof(
			fc.constantFrom(...Object.values(versions).flat()),
			fc.record(
				{ type: fc.constantFrom('message', 'session', 'x'), id: fc.string(), parentId: fc.anything() },
				{ requiredKeys: [] }
			),
			fc.jsonValue()
		);
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				const once = migrateEntries(lines).values;
				expect(migrateEntries(once).values).toEqual(once);
				expect(once).toHaveLength(lines.length);
			})
		);
	});
});
