import { describe, expect, it } from 'vitest';
import { en } from '#page/strings/en/index.ts';
import { speak, t } from '#page/strings/index.ts';
import { chooseLanguage } from '#page/strings/languages.ts';
import { zh } from '#page/strings/zh/index.ts';

interface Sentence {
	/** Number of its values; null for a text without values. */
	takes: number | null;
	say: (...values: readonly (readonly string[])[]) => string;
}

/** Lists stand for texts and for lists, and are equal to no count: each leaves its mark in the sentence. */
const MARKS = [['⟦1⟧'], ['⟦2⟧'], ['⟦3⟧']];

/** Sentences that are the same in both languages, and why. */
const SAME = new Map([
	['product', 'a name'],
	['front.gitUrlPlaceholder', 'an address'],
	['terminal.shell', 'the word in Chinese too'],
	['publish.kinds.github', 'a name'],
	['front.links.github', 'a name'],
	['publish.kinds.gitlab', 'a name'],
	...[...en.palette.composer.keys()].map((index): [string, string] => [`palette.composer.${index}.0`, 'a key'])
]);

function sentences(value: unknown, path = ''): [path: string, sentence: Sentence][] {
	if (typeof value === 'string') return [[path, { takes: null, say: () => value }]];
	if (typeof value === 'function')
		return [[path, { takes: value.length, say: (...values) => String(Reflect.apply(value, undefined, values)) }]];
	return Object.entries(value ?? {}).flatMap(([key, inner]) => sentences(inner, path === '' ? key : `${path}.${key}`));
}

const marks = (text: string | undefined): string[] => [...new Set(text?.match(/⟦\d⟧/g))].sort();

describe('the sentences in Simplified Chinese', () => {
	const english = new Map(sentences(en));
	const chinese = new Map(sentences(zh));

	it('are there for each in English, and no others', () => {
		expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
		expect(english.size).toBeGreaterThan(400);
	});

	it('take the same values and say each of them', () => {
		for (const [path, sentence] of english) {
			const other = chinese.get(path);
			expect(other?.takes, path).toBe(sentence.takes);
			expect(marks(other?.say(...MARKS)), path).toEqual(marks(sentence.say(...MARKS)));
		}
	});

	it('are Chinese', () => {
		for (const [path, sentence] of chinese) {
			const text = sentence.say(...MARKS);
			expect(text, path).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/);
			if (SAME.has(path) || !/\p{Letter}/u.test(text)) expect(text, path).toBe(english.get(path)?.say(...MARKS));
			else expect(text, path).toMatch(/\p{Script=Han}/u);
		}
	});

	it('are spoken when asked for, and English again', async () => {
		await speak('zh-Hans');
		expect(t.composer.send).toBe('发送');
		await speak('en');
		expect(t.composer.send).toBe('Send');
	});
});

describe('the language', () => {
	it('is the first of the browser’s that the page speaks', () => {
		expect(chooseLanguage(null, ['zh-CN', 'en'])).toBe('zh-Hans');
		expect(chooseLanguage(null, ['de-AT', 'zh-SG', 'en'])).toBe('zh-Hans');
		expect(chooseLanguage(null, ['en-GB', 'zh-CN'])).toBe('en');
		expect(chooseLanguage(null, ['zh-TW', 'en'])).toBe('en');
		expect(chooseLanguage(null, ['fr'])).toBe('en');
		expect(chooseLanguage(null, ['en-US@posix', 'zh'])).toBe('zh-Hans');
	});

	it('is the one that was chosen, unless that is none', () => {
		expect(chooseLanguage('en', ['zh-CN'])).toBe('en');
		expect(chooseLanguage('zh-Hans', ['en'])).toBe('zh-Hans');
		expect(chooseLanguage('tlh', ['zh-CN'])).toBe('zh-Hans');
	});
});
