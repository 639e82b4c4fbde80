import { testFacts } from './bash-facts.ts';

testFacts({
	'numbers of any length in order': [
		[
			"export LC_ALL=C; exec 2>&1; printf '%s\\n' 18446744073709551616 18446744073709551615 1.0 1 1.10 1.1 -18446744073709551616 -18446744073709551615 x 00.5 .5 0 >n; sort -n n; echo; sort -s -h n | head -4; printf '%s\\n' 1e400 3e-400 -1e400 1e401 0 abc -3e-400 5 >g; sort -g g; sort --sort=num n | tail -1; sort --sort=v n | tail -1; sort --sort=x n | head -1; sort --sort=m n | head -2; sort -m --batch-size=3 n; rm n g",
			"-18446744073709551616\n-18446744073709551615\n0\nx\n.5\n00.5\n1\n1.0\n1.1\n1.10\n18446744073709551615\n18446744073709551616\n\n-18446744073709551616\n-18446744073709551615\nx\n0\nabc\n-1e400\n-3e-400\n0\n3e-400\n5\n1e400\n1e401\n18446744073709551616\n-18446744073709551616\nsort: invalid argument 'x' for '--sort'\nValid arguments are:\n  - 'general-numeric'\n  - 'human-numeric'\n  - 'month'\n  - 'numeric'\n  - 'random'\n  - 'version'\nTry 'sort --help' for more information.\n-18446744073709551615\n-18446744073709551616\n18446744073709551616\n18446744073709551615\n1.0\n1\n1.10\n1.1\n-18446744073709551616\n-18446744073709551615\nx\n00.5\n.5\n0\n"
		]
	],
	'pieces through a filter': [
		[
			"export LC_ALL=C; exec 2>&1; seq 10 >in; split -l4 --filter='echo $FILE; cat' in; split -nr/3 --filter='paste -sd,' in; split -n2 --filter='tr \"\\n\" .; echo; exit 3' in; echo $?; split -4 in; ls; split -99999999999999999991 in; split -b 99999999999999999999 in; split -n r/18446744073709551616 in; echo $?; split --verbose -l6 --filter=\"head -n1 >>z\" in y; cat z;  rm in xa*",
			"xaa\n1\n2\n3\n4\nxab\n5\n6\n7\n8\nxac\n9\n10\n1,4,7,10\n2,5,8\n3,6,9\n1.2.3.4.5.\nsplit: with FILE=xaa, exit 3 from command: tr \"\\n\" .; echo; exit 3\n3\nin\nxaa\nxab\nxac\nsplit: line count option -99999999999999999991... is too large\nsplit: invalid number of bytes: '99999999999999999999': Value too large for defined data type\nsplit: invalid number of chunks: '18446744073709551616': Value too large for defined data type\n1\nexecuting with FILE=yaa\nexecuting with FILE=yab\n1\n7\n"
		]
	]
});
