import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { BlockSplitter, settle, splitBlocks } from '#page/markdown/blocks.ts';

const TEXT = `A paragraph
of two lines.

- one

- two

  more of two

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

## End
`;

describe('BlockSplitter', () => {
	it('cuts between blocks, never inside a fence or a loose list', () => {
		expect(splitBlocks(TEXT).map((block) => block.split('\n')[0])).toEqual([
			...['A paragraph', '- one', '```ts', '## End']
		]);
	});

	it('cuts the same wherever the pieces of a stream end, and never changes a finished block', () => {
		const whole = splitBlocks(TEXT);
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
				const splitter = new BlockSplitter();
				let at = 0;
				for (let step = 0; at < TEXT.length; step += 1) {
					const size = sizes[step % sizes.length] ?? 1;
					const before = [...splitter.blocks];
					splitter.append(TEXT.slice(at, at + size));
					at += size;
					expect(splitter.blocks.slice(0, before.length)).toEqual(before);
				}
				expect([...splitter.blocks, splitter.tail]).toEqual(whole);
			})
		);
	});

	it('keeps every character of any text', () => {
		const line = fc.constantFrom('', 'text', '```', '- item', '    code', '~~~', '1. one', '> quote');
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				const splitter = new BlockSplitter();
				splitter.append(lines.join('\n'));
				expect(splitter.blocks.join('') + splitter.tail).toBe(lines.join('\n'));
			})
		);
	});
});

describe('settle', () => {
	it.each([
		['some **bold', 'some **bold**'],
		['call `f', 'call `f`'],
		['text\n-', 'text'],
		['text\n---', 'text'],
		['see [the docs](https://exa', 'see '],
		['| a | b |', ''],
		['```js\nlet a = `x', '```js\nlet a = `x']
	])('%j looks like %j', (tail, settled) => {
		expect(settle(tail)).toBe(settled);
	});
});
