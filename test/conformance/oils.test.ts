import { expect, it } from 'vitest';
import { parseCases } from './oils.ts';

it('takes the code of each case and none of what it expects', () => {
	const text = [
		'## compare_shells: bash',
		'',
		'#### First',
		'# about it',
		'echo one',
		'# kept',
		'cat <<X',
		'',
		'X',
		'## STDOUT:',
		'one',
		'## END',
		'## N-I dash STDOUT:',
		'two',
		'## END',
		'#### First',
		'## status: 1',
		'false',
		'## stdout: x',
		'#### From a line',
		'## code: echo "a',
		'## status: 2'
	].join('\n');
	expect(parseCases('group', text)).toEqual([
		{ name: 'group: First', group: 'group', script: 'echo one\n# kept\ncat <<X\n\nX\n' },
		{ name: 'group: First (2)', group: 'group', script: 'false\n' },
		{ name: 'group: From a line', group: 'group', script: 'echo "a\n' }
	]);
});
