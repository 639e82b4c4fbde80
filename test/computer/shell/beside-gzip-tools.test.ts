import { testFacts } from './bash-facts.ts';

testFacts({
	'formats of other programs': [
		[
			"mkdir s1; cd s1; { printf '\\037\\235\\220\\0\\0\\0\\304' >h.Z; gzip -dc h.Z | od -An -tx1; gzip -l h.Z; gzip -tv h.Z; uncompress h.Z; ls; printf '\\037\\235\\377aaa' >b.Z; gzip -dc b.Z 2>&1 | tail -1; printf '\\037\\235\\220\\1\\376\\377' >c.Z; gzip -dc c.Z; echo $?; } 2>.e; cat .e",
			' 00 00\n         compressed        uncompressed  ratio uncompressed_name\n                  7                   2 -250.0% h\nh\ngzip: b.Z: compressed with 31 bits, can only handle 16 bits\n\u00011\nh.Z:\t OK\n\ngzip: c.Z: corrupt input.\n'
		],
		[
			"mkdir s2; cd s2; { printf '\\037\\036\\0\\0\\0\\006\\003\\001\\001\\000abn\\026\\310' >p.z; gzip -dc p.z; echo; gzip -l p.z; printf '\\037\\036\\0\\0\\0\\007\\003\\001\\001\\000abn\\026\\310' | gzip -dc; echo $?; } 2>.e; cat .e",
			'nababa\n         compressed        uncompressed  ratio uncompressed_name\n                 15                   6 -150.0% p\nnababa1\n\ngzip: stdin: invalid compressed data--length error\n'
		],
		[
			"mkdir s3; cd s3; { printf '\\037\\240\\000\\004\\050\\004\\112\\002\\046\\331\\023\\200\\254\\000\\000' >l.lzh; gzip -dc <l.lzh; echo; gzip -l <l.lzh; printf '\\037\\240\\000\\004\\377\\377' | gzip -dc >.o; echo $?; } 2>.e; cat .e",
			'ababaa\n         compressed        uncompressed  ratio uncompressed_name\n                 15                   6 -150.0% stdout\n1\n\ngzip: stdin: Bad table\n\n'
		],
		[
			"mkdir s4; cd s4; { printf 'hello\\n' | gzip >a; cat a >b; printf '\\037\\036\\0\\0\\0\\006\\003\\001\\001\\000abn\\026\\310' >>b; gzip -dc <b; printf '\\037\\213\\11\\0\\0\\0\\0\\0\\0\\0' >m.gz; gzip -dc m.gz; printf '\\037\\213\\10\\40\\0\\0\\0\\0\\0\\0' >m.gz; gzip -dc m.gz; printf '\\037\\213\\10\\100\\0\\0\\0\\0\\0\\0' >m.gz; gzip -dc m.gz; echo $?; : | gzip -d; printf x | gzip -d; echo xy | gzip -d; } 2>.e; cat .e",
			'hello\nnababa1\ngzip: m.gz: unknown method 9 -- not supported\ngzip: m.gz is encrypted -- not supported\ngzip: m.gz has flags 0x40 -- not supported\n\ngzip: stdin: unexpected end of file\n\ngzip: stdin: unexpected end of file\n\ngzip: stdin: not in gzip format\n'
		]
	],
	'bytes behind the end': [
		[
			"mkdir s5; cd s5; { for more in '\\0' '\\0\\0\\0' '\\0\\0\\0\\0\\0' '\\1' '\\1\\1' '\\0\\1' 'abcdefg' '\\037\\213\\10xxxx'; do (echo q | gzip; printf \"$more\") | gzip -dc; echo $?; done; (echo q | gzip; printf '\\0\\0') | gzip -dcv; echo $?; (echo q | gzip; printf 'plain') | gzip -cdf; echo; (echo q | gzip; echo r | gzip; printf '\\0') | gzip -dc; } 2>.e; cat .e",
			'q\n0\nq\n0\nq\n0\nq\n1\nq\n2\nq\n2\nq\n2\nq\n1\nq\n2\nq\nplain\nq\nr\n\ngzip: stdin: unexpected end of file\n\ngzip: stdin: decompression OK, trailing garbage ignored\n\ngzip: stdin: decompression OK, trailing garbage ignored\n\ngzip: stdin: decompression OK, trailing garbage ignored\ngzip: stdin is encrypted -- not supported\n\ngzip: stdin: decompression OK, trailing zero bytes ignored\n'
		]
	],
	'files that gzip is given': [
		[
			'mkdir s6; cd s6; { export TZ=UTC0; echo a >a; touch -d 1901-01-01 a; gzip -k a; echo $?; gzip -kqf a; echo $?; gzip -knf a; echo $?; touch -d 2106-02-07T06:28:15 a; gzip -kf a; echo $?; touch -d 2106-02-07T06:28:16 a; gzip -kf a; echo $?; touch -d 2020-02-03T04:05 a; gzip -kf a; gzip -lv a.gz; gzip -lv a.gz a.gz | tail -n 1; gzip -Nlv <a.gz; } 2>.e; cat .e',
			'2\n2\n0\n0\n2\nmethod  crc     date  time           compressed        uncompressed  ratio uncompressed_name\ndefla ddeaa107 Feb  3 04:05                  24                   2 -100.0% a\n                                             48                   4 -600.0% (totals)\nmethod  crc     date  time           compressed        uncompressed  ratio uncompressed_name\ndefla ddeaa107 Feb  3 04:05                  24                   2 -100.0% a\ngzip: a: warning: file timestamp out of range for gzip format\ngzip: a: warning: file timestamp out of range for gzip format\n'
		],
		[
			"mkdir s7; cd s7; { echo a >a; ln -s a s; gzip s; echo $?; ln a h; gzip a; echo $?; gzip -f a; ls; gzip -S '' x; gzip -S 1234567890123456789012345678901 x; mkdir d; echo >d/x; gzip -r d; gzip -r d; gzip -dr d; gzip -dr d; ls d; gzip -x; gzip --foo; gzip -V | head -1; } 2>.e; cat .e",
			"1\n2\na.gz\nh\ns\nx\ngzip 1.12\ngzip: s: Too many levels of symbolic links\ngzip: a has 1 other link -- file ignored\ngzip: invalid suffix ''\ngzip: invalid suffix '1234567890123456789012345678901'\ngzip: invalid option -- 'x'\nTry `gzip --help' for more information.\ngzip: unrecognized option '--foo'\nTry `gzip --help' for more information.\n"
		],
		[
			"mkdir s8; cd s8; { echo a | gzip >a.gz; for o in -c --stdout -d -f -k --list -r -Sx --suffix=x -- foo '-n foo'; do GZIP=$o gzip -dc a.gz; echo $?; done; for o in -n --name -q -9 --best '-1 -n' ''; do GZIP=$o gzip -dc a.gz; done; GZIP=-d; gzip -dc a.gz; } 2>.e; cat .e",
			"1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\na\na\na\na\na\na\na\na\ngzip: -c: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: --stdout: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: -d: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: -f: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: -k: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: --list: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: -r: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: -S: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: --suffix: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: --: option not valid in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: foo: non-option in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: foo: non-option in GZIP environment variable\nTry `gzip --help' for more information.\ngzip: warning: GZIP environment variable is deprecated; use an alias or script\ngzip: warning: GZIP environment variable is deprecated; use an alias or script\ngzip: warning: GZIP environment variable is deprecated; use an alias or script\ngzip: warning: GZIP environment variable is deprecated; use an alias or script\ngzip: warning: GZIP environment variable is deprecated; use an alias or script\n"
		]
	],
	'searches in compressed files': [
		[
			"mkdir s9; cd s9; { echo a >a; printf 'a\\nb\\n' >b; gzip -k a b; zgrep a a.gz b.gz; echo $?; zgrep -h a a.gz b.gz; zgrep -c a a.gz b; zgrep -l a a.gz b.gz; zgrep -L b a.gz b.gz; zgrep b a.gz; echo $?; zgrep -nH b b.gz; zgrep x nofile a.gz; echo $?; zgrep -q a a.gz; echo $?; } 2>.e; cat .e",
			'a.gz:a\nb.gz:a\n0\na\na\na.gz:1\nb:1\na.gz\nb.gz\na.gz\n1\nb.gz:2:b\n2\n0\ngzip: nofile.gz: No such file or directory\n'
		],
		[
			"mkdir s10; cd s10; { echo a >a; printf 'a\\nb\\n' >b; gzip -k a b; zgrep -e a -e b b.gz; zgrep a <a.gz; zgrep -H a - <a.gz; zgrep -A1 a b.gz; zgrep -f a b.gz; zgrep -f - b.gz <a; zgrep -f <(echo b) b.gz b; zgrep --regexp=a a.gz; zegrep 'a|b' b.gz; zfgrep a.b b.gz; echo $?; zgrep '\\(' a.gz; echo $?; zgrep -1 b b.gz; echo a-b | zgrep -e -; } 2>.e; cat .e",
			'a\nb\na\n(standard input):a\na\nb\na\na\nb.gz:b\nb:b\na\na\nb\n1\n2\na\nb\na-b\ngrep: Unmatched ( or \\(\n'
		]
	],
	'compressed files compared': [
		[
			"mkdir s11; cd s11; { echo a >a; printf 'a\\nb\\n' >b; gzip -k a b; cp a.gz c; zdiff a.gz b.gz; echo $?; zdiff -u a b.gz | tail -n +3; zcmp a.gz b.gz; zcmp a.gz a; echo $?; zdiff a.gz; echo $?; zdiff - b.gz <a.gz; zdiff a - <b.gz; zcmp -s a b; echo $?; zdiff -q a.gz b.gz; echo junk >j.gz; zdiff a.gz j.gz; echo $?; } 2>.e; cat .e",
			'1a2\n> b\n1\n@@ -1 +1,2 @@\n a\n+b\n0\n0\n1a2\n> b\n1a2\n> b\n1\nFiles /dev/fd/5 and - differ\n1c1\n< a\n---\n> junk\n1\ncmp: EOF on /dev/fd/5 after byte 2, line 1\n'
		]
	],
	'compressed files kept in order': [
		[
			"mkdir s12; cd s12; { echo a | gzip >c; echo x >d; mkdir e; zforce c d; ls; zforce e; echo $?; zforce nofile; zmore c.gz; zless c.gz; printf '\\037\\235\\220\\0\\0\\0\\304' >h.Z; cp h.Z i.Z; cp d q.Z; znew h.Z; echo $?; znew -K i.Z; znew nofile; znew q.Z; ls; zcat h | od -An -tx1; } 2>.e; cat .e",
			'c -- replaced with c.gz\nc.gz\nd\ne\nzforce: e not a file\n1\nzforce: nofile not a file\na\na\n0\nnofile.Z not found\nerror while uncompressing q.Z\nc.gz\nd\ne\nh.gz\ni.gz\nq.Z\n 00 00\n\ngzip: q.Z: not in gzip format\n'
		]
	]
});
