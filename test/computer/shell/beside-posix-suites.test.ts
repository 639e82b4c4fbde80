import { testFacts } from './bash-facts.ts';

testFacts({
	'diff: lines that count as equal, standard input twice': [
		[
			"printf 'a c\\nx\\n' >o; printf 'abc\\na  c\\ndef\\nx \\n' >n; diff --label a --label b -ub o n; diff --label a --label b -uw o n; diff -b o n; printf 'A\\nb\\n' >o; printf 'a\\nc\\n' >n; diff --label a --label b -ui o n; echo $?",
			'--- a\n+++ b\n@@ -1,2 +1,4 @@\n+abc\n a c\n+def\n x\n--- a\n+++ b\n@@ -1,2 +1,4 @@\n+abc\n a c\n+def\n x\n0a1\n> abc\n1a3\n> def\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n A\n-b\n+c\n1\n'
		],
		[
			"printf 'x\\n' >o; printf 'x\\r\\ny\\n' >n; diff --label a --label b -u --strip-trailing-cr o n; printf stdin | { diff - -; echo $?; wc -c; }; printf 'a\\nb' >o; printf 'a \\nc' >n; diff --label a --label b -ub o n",
			'--- a\n+++ b\n@@ -1 +1,2 @@\n x\n+y\n0\n5\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n'
		]
	],
	'dates with single digits': [
		[
			"export TZ=UTC0; date -d '1999-1-2 3:4:5Z' +%s; date -d '1999-1-2 3:4:5 +0600' +%s; date -d '2024-03-01 7:5' +%s; export TZ=GMT0BST,M3.5.0/1,M10.5.0/2; date -d '2021-03-28 00:59:59 +0000'; date -d '2021-10-31 01:00:01 +0000'",
			'915246245\n915224645\n1709276700\nSun Mar 28 00:59:59 GMT 2021\nSun Oct 31 01:00:01 GMT 2021\n'
		]
	],
	'sed: escapes in text': [
		[
			"printf 'L\\n' | sed '1a\\\\tx'; printf 'L\\n' | sed '1a\\text\\tq'; printf 'L\\n' | sed '1atext\\tq'; printf 'L\\n' | sed '1a\\\n\\ttext\\\n\\tmore'; printf 'L\\n' | sed '1i\\nfoo'; printf 'L\\n' | sed '1c\\\\rz' | od -c; printf 'L\\n' | sed '1a  \\  x'; printf 'L\\n' | sed '1a\\a'",
			'L\n\tx\nL\ntext\tq\nL\ntext\tq\nL\n\ttext\n\tmore\nnfoo\nL\n0000000  \\r   z  \\n\n0000003\nL\n  x\nL\na\n'
		]
	],
	'rev, and NUL': [
		[
			"printf 'lin\\000e 1\\n\\nline 3\\n' | rev | od -c; printf 'ab\\ncd' | rev",
			'0000000   n   i   l  \\n   3       e   n   i   l  \\n\n0000013\nba\ndc'
		]
	],
	'tar: names that are excluded': [
		[
			'touch foo bar baz; tar cf a.tar foo bar baz; echo foo >x; rm foo bar baz; tar xf a.tar foo bar -X x; echo $?; ls; tar tf a.tar foo --exclude=foo; echo $?',
			'0\na.tar\nbar\nx\n0\n'
		]
	],
	'bc: negation, and digits behind zeros': [
		[
			"printf '!4 && 5 && 7\\n!0 && 5\\n1 || !1 && 0\\n! 1 < 2\\n!!3\\n2 && !0 < 1\\n4 && !5 || !0\\n' | bc; printf 'ibase=16\\n0A\\n00F\\nA0\\n0G\\n1G\\n0A.A\\n' | bc; printf '0A\\n1A\\n0A.5\\nA.5\\n.A\\n0.A\\n' | bc; printf 'a = !0 && 1\\na\\nif (!0 && 1) 5\\nb = !2\\nb\\n' | bc",
			'0\n1\n1\n0\n1\n0\n1\n10\n15\n160\n16\n31\n10.6\n10\n19\n9.5\n9.5\n.9\n.9\n1\n1\n5\n0\n'
		]
	],
	'bc: assignments bind tighter than comparisons': [
		[
			"printf 'a = 3 < 4\\na\\na = b = 2 + 1\\nb\\na += 2 > 9\\na\\n(a = 7)\\na[1] = 5\\na[1] == 5\\n. = 4\\nx = !0\\nx\\nwhile (a -= 1) a\\n1 + a\\n' | bc; echo '1 + a = 3; a' | bc 2>&1; printf 'if (c = 0 || 1) 8\\n-a^2; a=3; -a^2\\n' | bc",
			'1\n3\n3\n0\n5\n7\n1\n1\n6\n5\n4\n3\n2\n1\n1\n4\n3\n8\n0\n9\n'
		]
	]
});
