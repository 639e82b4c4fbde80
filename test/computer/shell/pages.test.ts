import { testFacts } from './bash-facts.ts';

testFacts({
	'pages of pr': [
		[
			"export LC_ALL=C; { seq 7 >n; touch -d '2020-01-02 03:04' n; export TZ=UTC; pr -l 14 n; pr -f -l 13 -h HEAD n | od -c | head -20; pr +2 -l 13 -o 2 n | head -8; pr -w 40 -D %Y n | head -4; } 2>.e; cat .e",
			'\n\n2020-01-02 03:04                        n                         Page 1\n\n\n1\n2\n3\n4\n\n\n\n\n\n\n\n2020-01-02 03:04                        n                         Page 2\n\n\n5\n6\n7\n\n\n\n\n\n\n0000000  \\n  \\n   2   0   2   0   -   0   1   -   0   2       0   3   :\n0000020   0   4                                                        \n0000040                                       H   E   A   D            \n0000060                                                                \n0000100                   P   a   g   e       1  \\n  \\n  \\n   1  \\n   2\n0000120  \\n   3  \\n  \\f  \\n  \\n   2   0   2   0   -   0   1   -   0   2\n0000140       0   3   :   0   4                                        \n0000160                                                       H   E   A\n0000200   D                                                            \n0000220                                   P   a   g   e       2  \\n  \\n\n0000240  \\n   4  \\n   5  \\n   6  \\n  \\f  \\n  \\n   2   0   2   0   -   0\n0000260   1   -   0   2       0   3   :   0   4                        \n0000300                                                                \n0000320       H   E   A   D                                            \n0000340                                                   P   a   g   e\n0000360       3  \\n  \\n  \\n   7  \\n  \\f\n0000370\n  \n\n  2020-01-02 03:04                        n                         Page 2\n\n\n  4\n  5\n  6\n\n\n2020              n               Page 1\n\n'
		],
		[
			"export LC_ALL=C; { seq 7 >n; pr -t -3 n; pr -ta -3 n; pr -tm n n; pr -t -3 -s: n; pr -tn:3 -2 n; pr -t -2 -w 20 n; pr -td n; pr -t -S'<>' -3 n; pr -tJ -2 n; pr -tn n; } 2>.e; cat .e",
			'1\t\t\t4\t\t\t6\n2\t\t\t5\t\t\t7\n3\n1\t\t\t2\t\t\t3\n4\t\t\t5\t\t\t6\n7\n1\t\t\t\t    1\n2\t\t\t\t    2\n3\t\t\t\t    3\n4\t\t\t\t    4\n5\t\t\t\t    5\n6\t\t\t\t    6\n7\t\t\t\t    7\n1:4:6\n2:5:7\n3\n  1:1\t\t\t\t      5:5\n  2:2\t\t\t\t      6:6\n  3:3\t\t\t\t      7:7\n  4:4\n1\t  5\n2\t  6\n3\t  7\n4\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n1\t\t      <>4\t\t      <>6\n2\t\t      <>5\t\t      <>7\n3\n1\t5\n2\t6\n3\t7\n4\n    1\t1\n    2\t2\n    3\t3\n    4\t4\n    5\t5\n    6\t6\n    7\t7\n'
		],
		[
			"export LC_ALL=C; { printf 'a\\tb\\n\\fc\\001d\\nlonger than ten\\n' >n; pr -t n; pr -T n; pr -te4 n; pr -tv n; pr -tc n; pr -tW 10 n; pr -ti4 -o 8 n; } 2>.e; cat .e",
			'a\tb\n\fc\u0001d\nlonger than ten\na\tb\nc\u0001d\nlonger than ten\na   b\n\fc\u0001d\nlonger than ten\na\tb\n\fc\\001d\nlonger than ten\na\tb\n\fc^Ad\nlonger than ten\na\tb\n\fc\u0001d\nlonger tha\n\t\ta\tb\n\f\t\tc\u0001d\n\t\tlonger than ten\n'
		],
		[
			'export LC_ALL=C; { seq 2 >n; pr -l x n; pr -m -2 n; pr -m -a n; pr no; echo $?; pr -r no; echo $?; pr -x; pr -w 0 n; } 2>.e; cat .e',
			"1\n1\npr: '-l PAGE_LENGTH' invalid number of lines: 'x'\npr: cannot specify number of columns when printing in parallel\npr: cannot specify both printing across and printing in parallel\npr: no: No such file or directory\npr: invalid option -- 'x'\nTry 'pr --help' for more information.\npr: '-w PAGE_WIDTH' invalid number of characters: '0': Numerical result out of range\n"
		]
	]
});
