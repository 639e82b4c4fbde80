import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCounter, slugify } from '../src/index.ts';

describe('words', () => {
	it('joins words with a hyphen', () => assert.equal(slugify('one two three'), 'one-two-three'));
	it('lowers capitals', () => assert.equal(slugify('Hello World'), 'hello-world'));
	it('keeps digits', () => assert.equal(slugify('Area 51'), 'area-51'));
	it('drops punctuation', () => assert.equal(slugify('wait, what?!'), 'wait-what'));
	it('joins across an apostrophe', () => assert.equal(slugify("don't panic"), 'dont-panic'));
	it('trims the ends', () => assert.equal(slugify('  -- spaced --  '), 'spaced'));
	it('gives nothing for nothing', () => assert.equal(slugify(''), ''));
});

describe('letters', () => {
	it('takes accents off French', () => assert.equal(slugify('Crème brûlée'), 'creme-brulee'));
	it('takes accents off Spanish', () => assert.equal(slugify('El Niño'), 'el-nino'));
	it('takes accents off Czech', () => assert.equal(slugify('Příliš žluťoučký'), 'prilis-zlutoucky'));
	it('reads decomposed letters', () => assert.equal(slugify('cafe\u0301'), 'cafe'));
	it('writes Greek', () => assert.equal(slugify('Καλημέρα'), 'kalimera'));
	it('writes Russian', () => assert.equal(slugify('Привет мир'), 'privet-mir'));
	it('reads ligatures', () => assert.equal(slugify('Œuvre'), 'oeuvre'));
});

describe('German', () => {
	it('replaces umlauts', () => assert.equal(slugify('Über uns'), 'ueber-uns'));
	it('replaces every umlaut in a word', () => assert.equal(slugify('Grüße aus Köln'), 'gruesse-aus-koeln'));
	it('replaces capital umlauts', () => assert.equal(slugify('ÄRGER'), 'aerger'));
	it('replaces sharp s', () => assert.equal(slugify('Straße'), 'strasse'));
});

describe('options', () => {
	it('takes another separator', () => assert.equal(slugify('one two', { separator: '_' }), 'one_two'));
	it('keeps capitals when asked', () => assert.equal(slugify('One Two', { lowercase: false }), 'One-Two'));
	it('cuts at the end of a word', () => assert.equal(slugify('one two three', { maxLength: 9 }), 'one-two'));
	it('reads signs as words', () => assert.equal(slugify('salt & pepper'), 'salt-and-pepper'));
	it('tries your own pairs first', () =>
		assert.equal(slugify('I ♥ C++', { replacements: [['C++', 'cpp']] }), 'i-love-cpp'));
	it('numbers repeated slugs', () => {
		const counted = createCounter();
		assert.deepEqual([counted('News'), counted('news'), counted('News!')], ['news', 'news-2', 'news-3']);
	});
});
