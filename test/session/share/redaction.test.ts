import { expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { Redaction } from '#session/share/redaction.ts';

const [ONE, TWO] = [`sk-ant-${'a1'.repeat(20)}`, `ghp_${'aB3d'.repeat(9)}`];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);

it('takes secrets out of files, one finding for the same in the same file', () => {
	const redaction = new Redaction(new Set());
	expect(text(redaction.file('a', bytes(`x ${ONE} ${ONE}\ny ${TWO}`)))).toBe(
		'x [taken out: Anthropic key] [taken out: Anthropic key]\ny [taken out: GitHub token]'
	);
	redaction.file('a', bytes(ONE));
	redaction.file('b', bytes(ONE));
	expect(redaction.found).toEqual([
		{ id: 'a#1', kind: 'Anthropic key', where: 'a' },
		{ id: 'a#2', kind: 'GitHub token', where: 'a' },
		{ id: 'b#3', kind: 'Anthropic key', where: 'b' }
	]);
});

it('leaves in what the user put back, and only that', () => {
	const redaction = new Redaction(new Set(['a#2']));
	expect(text(redaction.file('a', bytes(`${ONE} ${TWO}`)))).toBe(`[taken out: Anthropic key] ${TWO}`);
	expect(redaction.found).toHaveLength(2);
});

it('gives files without secrets back as they are, in whatever encoding', () => {
	const redaction = new Redaction(new Set());
	for (const file of [bytes('plain'), new Uint8Array([0xff, 0xfe, 0x41]), bytes(`\0${ONE}`)])
		expect(redaction.file('a', file)).toBe(file);
	expect(redaction.found).toEqual([]);
	expect(text(redaction.file('a', bytes(`\ufeff${ONE}`)))).toBe('\ufeff[taken out: Anthropic key]');
});

it('takes them out of every text of the conversation, and leaves all else', () => {
	const redaction = new Redaction(new Set());
	const entry = {
		id: 'e',
		parentId: null,
		timestamp: 1,
		type: 'event',
		event: { deep: [{ text: `say ${ONE}` }, 1, null, true, undefined], more: ONE }
	} as unknown as SessionEntry;
	expect(redaction.entry(entry)).toEqual({
		...entry,
		event: {
			deep: [{ text: 'say [taken out: Anthropic key]' }, 1, null, true, undefined],
			more: '[taken out: Anthropic key]'
		}
	});
	expect(redaction.found).toEqual([{ id: 'the conversation#1', kind: 'Anthropic key', where: 'the conversation' }]);
});
