import { expect, it } from 'vitest';
import { parseCases } from './jq.ts';

it('takes program and input of each block, and programs that are refused', () => {
	const text = '# about\n\n.a\n{"a":1}\n1\n\n# more\n.a\nnull\nnull\n\n%%FAIL\n{(0):1}\njq: error: x\n';
	const cases = parseCases(text);
	expect(cases.map(({ name, env }) => [name, env?.['SUITE_PROGRAM'], env?.['SUITE_INPUT']])).toEqual([
		['.a', '.a', '{"a":1}'],
		['.a (2)', '.a', 'null'],
		['{(0):1}', '{(0):1}', 'null']
	]);
	expect(cases[2]?.group).toBe('programs that are refused');
});
