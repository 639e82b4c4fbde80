import { expect, it } from 'vitest';
import { compareVerdicts, parseTap } from './verdicts.ts';

const NESTED = `TAP version 13
# Subtest: suite
    # Subtest: inner
        # Subtest: first
        ok 1 - first
          ---
          duration_ms: 1
          ...
        # Subtest: second
        not ok 2 - second
        1..2
    not ok 1 - inner
    # Subtest: left out
    ok 2 - left out # SKIP no reason
    1..2
not ok 1 - suite
# Subtest: alone
ok 2 - alone
1..2
`;

it('reads nested and flat TAP', () => {
	expect(Object.fromEntries(parseTap(NESTED))).toEqual({
		'suite > inner > first': 'passed',
		'suite > inner > second': 'failed',
		'suite > left out': 'skipped',
		alone: 'passed'
	});
	expect(Object.fromEntries(parseTap('1..3\nok 1 a b\nnot ok 2 a b\n  Error: ok 3 times\nok 3 c # SKIP -\n'))).toEqual({
		'a b': 'passed',
		'a b (2)': 'failed',
		c: 'skipped'
	});
});

it('reads what vitest makes of TAP', () => {
	const text = `TAP version 13
1..1
not ok 1 - a.test.ts # time=33.54ms {
    1..3
    ok 1 - adds # time=2.29ms
    not ok 2 - fails # time=28.53ms
        ---
        ...
    ok 3 - later # SKIP
    ok 4 - suite # time=4.64ms {
        1..1
        ok 1 - "/" + "/" # time=1.58ms
    }
}
`;
	expect(Object.fromEntries(parseTap(text))).toEqual({
		'a.test.ts > adds': 'passed',
		'a.test.ts > fails': 'failed',
		'a.test.ts > later': 'skipped',
		'a.test.ts > suite > "/" + "/"': 'passed'
	});
});

it('compares verdict by verdict', () => {
	const native = parseTap('ok 1 a\nok 2 b\nok 3 c\nnot ok 4 d\nnot ok 5 e\n');
	const here = parseTap('ok 1 a\nnot ok 2 b\nok 3 d\nnot ok 4 e\n');
	expect(compareVerdicts(native, here)).toEqual({ native: 3, same: 1, red: ['b'], missing: ['c'], green: ['d'] });
});
