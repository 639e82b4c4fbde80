import { testFacts } from './bash-facts.ts';

testFacts({
	'files compressed in place': [
		[
			"mkdir s1; cd s1; { printf 'hello hello hello hello\\n' >a; cp a b; mkdir d; cp a d/x; gzip a; ls; gzip b c d; echo $?; gzip -r d; ls d; gzip a.gz; gunzip b; zcat a; zcat a.gz b.gz; echo $?; } 2>.e; cat .e",
			'a.gz\nb\nd\n1\nx.gz\nhello hello hello hello\nhello hello hello hello\n1\ngzip: c: No such file or directory\ngzip: d is a directory -- ignored\ngzip: a.gz already has .gz suffix -- unchanged\ngzip: b.gz: No such file or directory\n'
		],
		[
			"mkdir s2; cd s2; { printf 'hello hello hello hello\\n' >a; gzip -k a; gunzip a.gz; echo $?; gzip -kf a; gzip -vc a | wc -c; gzip -l a.gz; gzip -l a.gz a.gz; gzip -tv a.gz; gzip -v a -f; gunzip -kv a.gz; } 2>.e; cat .e",
			'2\n31\n         compressed        uncompressed  ratio uncompressed_name\n                 31                  24  54.2% a\n         compressed        uncompressed  ratio uncompressed_name\n                 31                  24  54.2% a\n                 31                  24  54.2% a\n                 62                  48  12.5% (totals)\ngzip: a already exists;\tnot overwritten\na:\t 54.2% -- replaced with stdout\na.gz:\t OK\na:\t 54.2% -- replaced with a.gz\na.gz:\t 54.2% -- created a\n'
		],
		[
			"mkdir s3; cd s3; { printf 'hello hello hello hello\\n' | gzip >a.gz; printf 'x\\n' >n.gz; gunzip n.gz; echo $?; (cat a.gz; echo junk) >j.gz; zcat j.gz; echo $?; cat a.gz a.gz | zcat; gunzip nothere; cp a.gz a.tgz; gunzip a.tgz; ls; cp a.gz y; gunzip y; echo $?; gzip -dc <y; gzip -dcf n.gz; } 2>.e; cat .e",
			'1\nhello hello hello hello\n2\nhello hello hello hello\nhello hello hello hello\na.gz\na.tar\nj.gz\nn.gz\n2\nhello hello hello hello\nx\n\ngzip: n.gz: not in gzip format\n\ngzip: j.gz: decompression OK, trailing garbage ignored\ngzip: nothere.gz: No such file or directory\ngzip: y: unknown suffix -- ignored\n'
		],
		[
			"mkdir s4; cd s4; { printf 'hello hello\\n' | gzip -n >a.gz; printf '\\0\\0\\0\\0' | dd of=a.gz bs=1 seek=$(($(stat -c %s a.gz) - 8)) conv=notrunc; gzip -dc a.gz; echo $?; } 2>/dev/null; gzip -dc a.gz 2>&1 >/dev/null",
			'hello hello\n1\n\ngzip: a.gz: invalid compressed data--crc error\n'
		],
		[
			"mkdir s5; cd s5; { touch -d '2020-02-03 04:05:06 UTC' old; chmod 640 old; gzip old; mv old.gz new.gz; TZ=UTC stat -c '%a %y' new.gz; gunzip -N new.gz; TZ=UTC stat -c '%n %a %y' old; gzip -S .zz old; ls; gunzip -S .zz old.zz; ls; printf abc | gzip -n | od -An -tx1 | head -c 30; } 2>.e; cat .e",
			'640 2020-02-03 04:05:06.000000000 +0000\nold 640 2020-02-03 04:05:06.000000000 +0000\nold.zz\nold\n 1f 8b 08 00 00 00 00 00 00 03'
		]
	],
	'lines backwards': [
		[
			"mkdir s6; cd s6; { printf 'abc\\ndef' | rev; echo; printf 'abc\\n' >r; rev r r; rev nofile; echo $?; printf '\\303\\244b\\n' | rev; } 2>.e; cat .e",
			'cba\nfed\ncba\ncba\n1\nbä\nrev: cannot open nofile: No such file or directory\n'
		]
	],
	columns: [
		[
			"mkdir s7; cd s7; printf 'a bb ccc\\ndddd e\\n' | column -t; printf 'a:b::c\\nd:e\\n' | column -t -s:; printf 'a:b::c\\n' | column -ts: -o ' | '; printf 'a\\tb c\\n' | column -t -s \"$(printf '\\t')\"; printf 'äö b\\nc d\\n' | column -t",
			'a     bb  ccc\ndddd  e   \na  b    c\nd  e    \na | b |  | c\na  b c\näö  b\nc   d\n'
		],
		[
			"mkdir s8; cd s8; unset COLUMNS; seq 30 | column; seq 30 | column -x; seq 30 | column -c 30; printf 'one\\n\\ntwo\\n' | column; printf '' | column; printf 'aaaaaaaaaaaa\\nb\\n' | column -c 20",
			'1\t4\t7\t10\t13\t16\t19\t22\t25\t28\n2\t5\t8\t11\t14\t17\t20\t23\t26\t29\n3\t6\t9\t12\t15\t18\t21\t24\t27\t30\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n11\t12\t13\t14\t15\t16\t17\t18\t19\t20\n21\t22\t23\t24\t25\t26\t27\t28\t29\t30\n1\t11\t21\n2\t12\t22\n3\t13\t23\n4\t14\t24\n5\t15\t25\n6\t16\t26\n7\t17\t27\n8\t18\t28\n9\t19\t29\n10\t20\t30\none\ttwo\naaaaaaaaaaaa\nb\n'
		],
		[
			"mkdir s9; cd s9; printf 'a 1\\nb 22\\n' >t; column -t -N NAME,SIZE -R SIZE t; column -t -N NAME,SIZE -J t; column -t -N NAME,SIZE -H NAME t; column -td -N N,S t; column -t -R 1 t; printf 'a 1 x y\\n' | column -t -l 2; printf 'x\\n\\ny z\\n' | column -tL",
			'NAME  SIZE\na        1\nb       22\n{\n   "table": [\n      {\n         "name": "a",\n         "size": "1"\n      },{\n         "name": "b",\n         "size": "22"\n      }\n   ]\n}\nSIZE\n1\n22\na  1\nb  22\na  1\nb  22\na  1 x y\nx  \n   \ny  z\n'
		],
		[
			"mkdir s10; cd s10; { printf 'a 1\\n' | column -J; echo $?; column nofile; echo $?; column -c x </dev/null; echo $?; } 2>.e; cat .e",
			"1\n1\n1\ncolumn: option --table-columns required for --json\ncolumn: nofile: No such file or directory\ncolumn: invalid columns argument: 'x'\n"
		]
	]
});
