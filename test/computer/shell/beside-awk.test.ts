import { testFacts } from './bash-facts.ts';

const start = 'export LC_ALL=C.UTF-8 TZ=UTC; exec 2>&1; mkdir w; cd w; ';
const end = '; cd ..; rm -r w';

/** A script in a separate directory. */
const inside = (script: string, stdout: string) => [start + script + end, stdout] as const;

testFacts({
	'messages of gawk': [
		inside(
			'gawk \'BEGIN { f(a); print a } function f(b) { b[1] = 2; a = "x" }\'; echo $?',
			"gawk: cmd. line:1: fatal: attempt to use array `a' in a scalar context\n2\n"
		),
		inside(
			"gawk 'function f(a) { a[1]; g(a) } function g(c) { c = 1 } BEGIN { f(x) }'; gawk 'BEGIN { x = 1; x[2] }'; gawk 'BEGIN { a[1][2] = 3; print a[1] }'",
			"gawk: cmd. line:1: fatal: attempt to use array `c (from a, from x)' in a scalar context\ngawk: cmd. line:1: fatal: attempt to use scalar `x' as an array\ngawk: cmd. line:1: fatal: attempt to use array `a[\"1\"]' in a scalar context\n"
		),
		inside(
			"gawk 'BEGIN { print 1 +* 2 }'; echo $?; gawk 'BEGIN { print \"abc }'; gawk 'function f(x, x) { } BEGIN { b() }'; echo $?; gawk 'BEGIN { print > \"/no/such/file\" }'; echo $?",
			"gawk: cmd. line:1: BEGIN { print 1 +* 2 }\ngawk: cmd. line:1:                  ^ syntax error\n1\ngawk: cmd. line:1: BEGIN { print \"abc }\ngawk: cmd. line:1:               ^ unterminated string\ngawk: cmd. line:1: error: function `f': parameter #2, `x', duplicates parameter #1\n1\ngawk: cmd. line:1: fatal: cannot redirect to `/no/such/file': No such file or directory\n2\n"
		),
		inside(
			"printf '1\\n2\\n' | gawk '$1 == 2 { NF = -1 }'; gawk '{ print }' nofile; echo $?; gawk 'BEGIN { printf \"%d %c|%5.2f|%-4s|%x\\n\", \"12abc\", 65, 3.14159, \"ab\", 255 }'",
			"gawk: cmd. line:1: (FILENAME=- FNR=2) fatal: NF set to negative value\ngawk: fatal: cannot open file `nofile' for reading: No such file or directory\n2\n12 A| 3.14|ab  |ff\n"
		),
		inside(
			"gawk --lint 'BEGIN { print x + 1; delete a[2]; print length(12) } function g(y) { }'",
			"gawk: warning: function `g' defined but never called directly\ngawk: cmd. line:1: warning: reference to uninitialized variable `x'\n1\ngawk: cmd. line:1: warning: delete: index `2' not in array `a'\ngawk: cmd. line:1: warning: length: received non-string argument\n2\n"
		)
	],
	'values of gawk': [
		inside(
			'gawk \'BEGIN { a[1][2] = 3; a[1][5] = 4; f(b); print length(a[1]), isarray(b), typeof(a), typeof(u), typeof(@/x/), typeof("x"), typeof(1) } function f(p) { p["k"] }\'',
			'2 1 array untyped regexp string number\n'
		),
		inside(
			"echo '3 x 0x1A' | gawk '{ print typeof($1), typeof($2), typeof($9), $3 + 0, strtonum($3), 011, substr(\"hello\", 0, 2), -3 % 2, 2 ^ 3 ^ 2 }'",
			'strnum string unassigned 0 26 9 he -1 512\n'
		),
		inside(
			'gawk \'BEGIN { srand(2); for (i = 0; i < 5; i++) printf "%d ", 100 * rand(); print srand() }\'',
			'89 22 4 63 37 2\n'
		),
		inside(
			'gawk \'BEGIN { n = split("c b a", x); x["k"]; for (i in x) printf "%s ", i; PROCINFO["sorted_in"] = "@val_str_asc"; for (i in x) printf "%s ", x[i]; print asort(x, y), y[2] }\'',
			'k 1 2 3  a b c 4 a\n'
		),
		inside(
			'gawk \'function by(i, v, j, w) { return w - v } BEGIN { a["x"] = 1; a["y"] = 3; PROCINFO["sorted_in"] = "by"; for (k in a) printf "%s ", k; f = "length"; print @f("four"); g = "add"; print @g(2) } function add(n) { return n + 1 }\'',
			'y x 4\n3\n'
		),
		inside(
			'gawk \'@namespace "m"; function f() { return "m::f" } BEGIN { v = 1; print f(), v; print awk::NR } @namespace "awk"; BEGIN { print m::f(), m::v }\'',
			'm::f 1\n0\nm::f 1\n'
		),
		inside(
			'gawk \'BEGIN { switch ("b") { case /a/: print 1; case "b": print 2; case 3: print 3; break; default: print 4 } SYMTAB["z"]; }\'',
			'2\n3\ngawk: cmd. line:1: fatal: reference to uninitialized element `SYMTAB["z"] is not allowed\'\n'
		)
	],
	'records and fields of gawk': [
		inside(
			"printf 'a1b22c' | gawk 'BEGIN { RS = \"[0-9]+\" } { print NR, $0, RT }'; printf '\\n\\na b\\nc\\n\\n\\nd\\n' | gawk 'BEGIN { RS = \"\" } { print NF, $1, length(RT) }'",
			'1 a 1\n2 b 22\n3 c \n3 a 3\n1 d 1\n'
		),
		inside(
			'echo \'a,"b,c",d\' | gawk \'BEGIN { FPAT = "([^,]+)|(\\"[^\\"]+\\")" } { print NF, $2 }\'; echo abcdef | gawk \'BEGIN { FIELDWIDTHS = "1 1:2 *" } { print $1, $2, $3, PROCINFO["FS"] }\'',
			'3 "b,c"\na cd ef FIELDWIDTHS\n'
		),
		inside(
			'echo \'aXbxc\' | gawk \'BEGIN { IGNORECASE = 1 } { n = split($0, p, /x/, s); print n, s[1] s[2]; sub(/B/, "[&]"); print; print gensub(/(.)x(.)/, "\\\\2-\\\\1", 2) }\'',
			'3 Xx\naX[b]xc\naX[bc-]\n'
		),
		inside(
			'printf \'1\\n2\\n\' >f; printf \'3\\n\' >g; gawk \'BEGINFILE { print "<" FILENAME } { print FNR, NR, $0; nextfile } ENDFILE { print ">" }\' f g; gawk \'BEGIN { while ((getline l < "f") > 0) n += l; print n; getline; print $0; FS = ":" } END { print NR }\' f',
			'<f\n1 1 1\n>\n<g\n1 2 3\n>\n3\n1\n2\n'
		),
		inside(
			'echo \'a b c\' | gawk \'{ $5 = "e"; print NF, $0; NF = 2; print; $0 = "x y"; print $2; OFS = "-"; $1 = $1; print }\'; gawk \'BEGIN { s = "a.b"; gsub(/\\./, "\\\\\\\\&", s); print s; print match("xaay", /a+/, m), RLENGTH, m[0, "start"] }\'',
			'5 a b c  e\na b\ny\nx-y\na\\.b\n2 2 2\n'
		)
	]
});
