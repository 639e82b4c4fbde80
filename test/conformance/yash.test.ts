import { expect, it } from 'vitest';
import { fieldsOf } from './mksh.ts';
import { assertionsOf } from './yash.ts';

it('counts the tests of yash that its record says passed', () => {
	const stdout = [
		'%%% START: while-p.tst:5: execution path of 0-round loop',
		'%%% PASSED: while-p.tst:5: execution path of 0-round loop',
		'%%% FAILED: while-p.tst:13: a: b',
		'%%% PASSED: while-p.tst:21: a: b',
		'%%% SKIPPED: while-p.tst:30: needs root'
	].join('\n');
	expect([...assertionsOf({ stdout })]).toEqual(['5: execution path of 0-round loop', '21: a: b']);
});

it('reads the fields of a test of mksh, indented ones without their tabs', () => {
	const fields = fieldsOf('# comment\nname: here-1\nstdin:\n\tcat <<EOF\n\t\tx\n\tEOF\nexpected-exit: e != 0\n');
	expect([...fields]).toEqual([
		['name', 'here-1\n'],
		['stdin', 'cat <<EOF\n\tx\nEOF\n'],
		['expected-exit', 'e != 0\n']
	]);
});
