import { expect, it } from 'vitest';
import { inAscii } from '#computer/build/program-plugin.ts';

it('makes a script of one-byte characters that does the same', () => {
	const script = `const größe = '❯ é 😀'; return [größe, \`\${größe}–\`, /[à-ÿ😀]/u.test('😀'), /^[^\\u0000-ÿ]$/.test('❯'), größe.length];`;
	const ascii = inAscii(script);
	expect(ascii).toMatch(/^[\0-\x7f]*$/);
	const run = (text: string): unknown => new Function(text)();
	expect(run(ascii)).toEqual(run(script));
	expect(run(ascii)).toEqual(['❯ é 😀', '❯ é 😀–', true, true, 6]);
});
