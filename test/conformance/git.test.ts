import { expect, it } from 'vitest';
import { assertionsOf } from './git.ts';
import { compare } from './report.ts';

const stdout = [
	'ok 1 - setup',
	'not ok 2 - prints the branch',
	'#	git branch',
	'ok 3 # skip needs Perl (missing PERL)',
	'ok 4 - once broken # TODO known breakage vanished',
	'ok 12 - ends'
].join('\n');

it('counts the assertions of a script that hold', () => {
	expect([...assertionsOf({ stdout })]).toEqual(['1', '12']);
});

it('compares scripts by the assertions that hold natively', () => {
	const native = { stdout: 'ok 1 - a\nok 2 - b\nnot ok 3 - c\nok 12 - d\n', status: 1 };
	expect(compare('t0001-init', native, { stdout, status: 0 }, { assertions: assertionsOf })).toEqual({
		count: 3,
		different: ['t0001-init 2']
	});
	expect(compare('t0001-init', native, native, {})).toEqual({ count: 1, different: [] });
});
