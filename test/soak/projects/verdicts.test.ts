import { expect, it } from 'vitest';
import { compareVerdicts, parseTap, parseVerdicts } from './verdicts.ts';

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

it('reads the report of jest', () => {
	const assertionResults = [
		{ fullName: 'suite adds', status: 'passed', failureMessages: [] },
		{ fullName: 'suite adds', status: 'failed', failureMessages: ['no'] },
		{ fullName: 'suite later', status: 'pending', failureMessages: [] }
	];
	const text = JSON.stringify({ success: false, testResults: [{ name: '/p/a.test.js', assertionResults }] });
	expect(Object.fromEntries(parseVerdicts(`${text}\n`))).toEqual({
		'/p/a.test.js > suite adds': 'passed',
		'/p/a.test.js > suite adds (2)': 'failed',
		'/p/a.test.js > suite later': 'skipped'
	});
});

it('reads what uvu prints', () => {
	const text = `a.js
\u001b[47m two words \u001b[49m • ✘ •   (2 / 3)

   FAIL  two words  "second"
    Expected values to be equal:

• •   (2 / 2)

  Total:     5
  Passed:    4
`;
	expect(Object.fromEntries(parseVerdicts(text))).toEqual({
		'two words > test': 'passed',
		'two words > test (2)': 'failed',
		'two words > test (3)': 'passed',
		' > test': 'passed',
		' > test (2)': 'passed'
	});
});

it('reads the summary of pytest', () => {
	const text = `F.s [100%]
FAILED tests/test_a.py::TestA::test_one[a b - c] - AssertionError: assert [1] == [2]
PASSED tests/test_a.py::test_two
PASSED tests/test_a.py::test_three[x y]
XFAIL tests/test_a.py::test_four - reason
SKIPPED [1] tests/test_a.py:12: no threads
1 failed, 2 passed, 1 skipped, 1 xfailed in 0.05s
`;
	expect(Object.fromEntries(parseVerdicts(text))).toEqual({
		'tests/test_a.py::TestA::test_one[a b - c]': 'failed',
		'tests/test_a.py::test_two': 'passed',
		'tests/test_a.py::test_three[x y]': 'passed',
		'tests/test_a.py::test_four': 'skipped'
	});
});

it('compares verdict by verdict', () => {
	const native = parseTap('ok 1 a\nok 2 b\nok 3 c\nnot ok 4 d\nnot ok 5 e\n');
	const here = parseTap('ok 1 a\nnot ok 2 b\nok 3 d\nnot ok 4 e\n');
	expect(compareVerdicts(native, here)).toEqual({ native: 3, same: 1, red: ['b'], missing: ['c'], green: ['d'] });
});
