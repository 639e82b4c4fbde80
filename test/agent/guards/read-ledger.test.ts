import { describe, expect, it } from 'vitest';
import { ReadLedger } from '#agent/guards/read-ledger.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the files that the model has seen', () => {
	it('are known by their content until they are forgotten', async () => {
		const ledger = new ReadLedger();
		expect(await ledger.compare('a', bytes('one'))).toBe('unread');
		await ledger.note('a', bytes('one'));
		expect(await ledger.compare('a', bytes('one'))).toBe('current');
		expect(await ledger.compare('a', bytes('two'))).toBe('stale');
		expect(await ledger.compare('b', bytes('one'))).toBe('unread');
		ledger.forget('a');
		expect(await ledger.compare('a', bytes('one'))).toBe('unread');
	});
});

describe('a text that a command printed', () => {
	it('is known where it is long enough to be no chance, spaces around it aside', () => {
		const ledger = new ReadLedger();
		ledger.noteShell('first of all\nand more');
		expect(ledger.wasInShell('first of all')).toBe(true);
		expect(ledger.wasInShell('\n  first of all \n')).toBe(true);
		expect(ledger.wasInShell('irst of all')).toBe(false);
		expect(ledger.wasInShell('   of all   ')).toBe(false);
		expect(ledger.wasInShell('last of them all')).toBe(false);
	});

	it('is kept with those before it, up to 200,000 characters', () => {
		const ledger = new ReadLedger();
		ledger.noteShell('first of all');
		ledger.noteShell('x'.repeat(199_987));
		expect(ledger.wasInShell('first of all')).toBe(true);
		ledger.noteShell('y');
		expect(ledger.wasInShell('first of all')).toBe(false);
		expect(ledger.wasInShell('x'.repeat(100))).toBe(true);
	});
});
