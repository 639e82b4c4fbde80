import { testFacts } from './bash-facts.ts';

/** Waits until the output of a background command contains a text. */
const SEE = 'see() { until grep -q -- "$1" out; do sleep .02; done; };';

testFacts({
	'files followed by name': [
		[
			`${SEE} touch a b; tail -s.05 -F a b c >out 2>&1 & see 'open .c.'; echo x >a; see '^x'; mv a b; see 'b. has'; see '^x$'; echo y >a; see '^y'; echo z >c; see '^z'; kill $!; wait $! 2>/dev/null; grep tail: out; rm a b c`,
			"tail: cannot open 'c' for reading: No such file or directory\ntail: 'a' has become inaccessible: No such file or directory\ntail: 'b' has been replaced;  following new file\ntail: 'a' has appeared;  following new file\ntail: 'c' has appeared;  following new file\n"
		],
		[
			`${SEE} echo old >a; tail -s.05 --follow=name a >out 2>&1 & see old; rm a; see 'No such'; see remaining; wait $!; echo $?; cat out`,
			'1\nold\ntail: a: No such file or directory\ntail: no files remaining\n'
		]
	],
	'files followed under another name': [
		[
			`${SEE} seq 3 >a; tail -s.05 -f a >out 2>&1 & see 3; mv a b; echo 4 >>b; see 4; echo 5 >b; see 5; kill $!; wait $! 2>/dev/null; cat out; rm b`,
			'1\n2\n3\n4\ntail: a: file truncated\n5\n'
		]
	],
	'nothing to follow': [
		[
			'export LC_ALL=C; { mkdir d; head -n1 d no; tail -f d no; echo $?; tail --follow=name --max-unchanged-stats=1 no; tail --retry no; tail -f <&-; seq 2 | tail -f; tail --follow=name -; tail --follow=both; tail -s x; tail --max-unchanged-stats=x; tail --pid=x; } >out 2>&1; cat out; rmdir d',
			"==> d <==\nhead: error reading 'd': Is a directory\nhead: cannot open 'no' for reading: No such file or directory\n==> d <==\ntail: error reading 'd': Is a directory\ntail: d: cannot follow end of this type of file; giving up on this name\ntail: cannot open 'no' for reading: No such file or directory\ntail: no files remaining\n1\ntail: cannot open 'no' for reading: No such file or directory\ntail: no files remaining\ntail: warning: --retry ignored; --retry is useful only when following\ntail: cannot open 'no' for reading: No such file or directory\ntail: cannot fstat 'standard input': Bad file descriptor\ntail: error reading 'standard input': Bad file descriptor\ntail: no files remaining\ntail: -: Bad file descriptor\n1\n2\ntail: cannot follow '-' by name\ntail: invalid argument 'both' for '--follow'\nValid arguments are:\n  - 'descriptor'\n  - 'name'\nTry 'tail --help' for more information.\ntail: invalid number of seconds: 'x'\ntail: invalid maximum number of unchanged stats between opens: 'x'\ntail: invalid PID: 'x'\n"
		]
	]
});
