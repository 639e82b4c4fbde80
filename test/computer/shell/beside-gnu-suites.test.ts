import { testFacts } from './bash-facts.ts';

/** Runs each script in a new folder, errors among the output. */
const inAFolder = (facts: [script: string, stdout: string][]): [string, string][] =>
	facts.map(([script, stdout]) => [`mkdir f; cd f; export LC_ALL=C; { ${script}; } 2>&1; cd ..; rm -rf f`, stdout]);

testFacts({
	'blocks at a place': inAFolder([
		[
			'dd oseek=8B bs=5 of=new count=0 status=none; wc -c <new; echo abcd | dd oseek=3B bs=5 status=none >out; od -An -c out',
			'8\n  \\0  \\0  \\0   a   b   c   d  \\n\n'
		],
		[
			'echo data >in; for i in 1 2; do dd oflag=append if=in of=out status=none; done; cat out; dd oflag=append conv=notrunc if=in of=out status=none; cat out; dd if=in skip=9 status=none',
			'dd: you probably want conv=notrunc with oflag=append\ndd: you probably want conv=notrunc with oflag=append\ndata\ndata\ndata\n'
		],
		[
			'ln -s in link; echo x >in; dd iflag=nofollow if=link count=0; dd iflag=directory if=in count=0; dd iflag=directory if=. count=0 status=none; dd iflag=cio if=in; dd iflag=nocache,direct if=in; dd if=/dev/null count=0x1 status=none',
			"dd: failed to open 'link': Too many levels of symbolic links\ndd: failed to open 'in': Not a directory\ndd: invalid input flag: 'cio'\nTry 'dd --help' for more information.\ndd: cannot combine direct and nocache\ndd: warning: '0x' is a zero multiplier; use '00x' if that is intended\n"
		]
	]),
	'letters of aligned classes': inAFolder([
		[
			"echo abcxyz | tr '[:lower:][:lower:]' '[:upper:]0-9'; echo Ab | tr '[:upper:][:lower:]' 'a-z[:upper:]'; tr 'A-Z[:lower:]' 'a-y[:upper:]'; tr 'A-Z[:lower:]' '[:lower:]A-Z'; tr '[:upper:] ' '[:lower:]'",
			'012999\naB\ntr: misaligned [:upper:] and/or [:lower:] construct\ntr: misaligned [:upper:] and/or [:lower:] construct\ntr: when translating with string1 longer than string2,\nthe latter string must not end with a character class\n'
		]
	]),
	'ends of lines over files': inAFolder([
		[
			"printf '1\\r' >a; printf '\\n2\\r\\n' >b; cat -E a b; printf '2\\r\\n' >b; cat -E a b | od -An -c; cat -E a | od -An -c",
			'1^M$\n2^M$\n   1  \\r   2   ^   M   $  \\n\n   1  \\r\n'
		]
	]),
	'characters as numbers': inAFolder([
		[
			"env printf '%d %d\\n' '\"ab' \"'c\" 2>e; cat e; env printf '%s\\n' '\"ab'; POSIXLY_CORRECT=1 env printf '%d\\n' '\"ab'; env printf '%d\\n' '\"' 2>e; cat e; env printf '\\xZ'; echo $?",
			'97 99\nprintf: warning: b: character(s) following character constant have been ignored\n"ab\n97\n0\nprintf: \'"\': expected a numeric value\nprintf: missing hexadecimal number in escape\n1\n'
		]
	]),
	'what a sort compares': inAFolder([
		[
			"printf 'b\\ta\\n' | sort -k2 -k1r --debug 2>/dev/null; printf '2,5\\n2.4\\n' | sort -sk1n --debug 2>/dev/null; printf 'FEB\\nJAZZ\\n' | sort -sk1M --debug 2>/dev/null; printf '1Ki\\n' | sort -h --debug 2>/dev/null",
			'b>a\n __\n___\n___\n2,5\n_\n2.4\n___\nJAZZ\n^ no match for key\nFEB\n___\n1Ki\n__\n___\n'
		],
		[
			'sort -s -k2,1n --debug /dev/null; sort -rRVMhgb -k1,1n --debug /dev/null; sort -nk1 -t. --debug /dev/null; sort --debug -rb -k2n +2.2 -1b /dev/null; sort --debug -o x /dev/null',
			"sort: text ordering performed using simple byte comparison\nsort: key 1 has zero width and will be ignored\nsort: note numbers use '.' as a decimal point in this locale\nsort: text ordering performed using simple byte comparison\nsort: note numbers use '.' as a decimal point in this locale\nsort: options '-bghMRV' are ignored\nsort: option '-r' only applies to last-resort comparison\nsort: text ordering performed using simple byte comparison\nsort: key 1 is numeric and spans multiple fields\nsort: field separator '.' is treated as a decimal point in numbers\nsort: text ordering performed using simple byte comparison\nsort: key 1 is numeric and spans multiple fields\nsort: obsolescent key '+2 -1' used; consider '-k 3,1' instead\nsort: key 2 has zero width and will be ignored\nsort: note numbers use '.' as a decimal point in this locale\nsort: option '-b' is ignored\nsort: option '-r' only applies to last-resort comparison\nsort: options '-o --debug' are incompatible\n"
		],
		[
			'printf "a 3\\nb 1\\nc 2\\n" | sort +1 -2n; printf "x  b\\ny a\\n" | sort -k2; printf "x  b\\ny a\\n" | sort -k2b',
			'b 1\nc 2\na 3\nx  b\ny a\ny a\nx  b\n'
		]
	]),
	'paths by names': inAFolder([
		[
			'mkdir -p a/b; ln -s a/b s; realpath --relative-to=. s/..; realpath -L --relative-to=. s/..; mkdir gone; cd gone; rmdir ../gone; readlink -e .; echo $?; cd ..',
			'a\n.\n1\n'
		]
	]),
	'times of use and of change': inAFolder([
		[
			"touch -d 2001-01-01T00:00Z f; touch -a -d 2002-02-02T00:00Z f; stat -c '%X %Y' f; touch -m -d 2003-03-03T00:00Z f; stat -c '%X %Y' f; ln -s f l; touch -h -d 2004-04-04T00:00Z l; stat -c '%X %Y' l f; touch -r f h; stat -c '%X %Y' h; cp -p f g; stat -c '%X %Y' g; cp -P -p l m; stat -c %Y m",
			'1012608000 978307200\n1012608000 1046649600\n1081036800 1081036800\n1012608000 1046649600\n1012608000 1046649600\n1012608000 1046649600\n1081036800\n'
		],
		[
			'touch -a -d 2001-01-01 old; touch -a -d 2005-05-05 new; ls -tu; ls -tur; find . -type f -atime +9000 | sort; touch -a -d "$(date -d "9 days" +%F)" t; find t -used +7; find t -used -7; [ -N old ]; echo $?; touch -m -d 2000-01-01 old; [ -N old ]; echo $?',
			'new\nold\nold\nnew\n./old\nt\n0\n1\n'
		]
	]),
	'times as POSIX had them': inAFolder([
		[
			'export _POSIX2_VERSION=199209 POSIXLY_CORRECT=1; touch 01010000 f; ls; touch 0101000000 g; ls; touch 01010000',
			'f\n0101000000\nf\ng\n'
		]
	]),
	'the last lines left out of an endless input': inAFolder([
		[
			'yes | head -n -1 | head -n1; seq 5 | head -n -2; printf abc | head -c -1; echo; yes | head -c -0 | head -n1',
			'y\n1\n2\n3\nab\ny\n'
		]
	]),
	'starting points from a list': inAFolder([
		[
			"find -files0-from - ')' </dev/null; find . -print ')'; find . -type ''; find . -xtype ''",
			"find: invalid expression: expected expression before closing parentheses ')'.\nfind: you have too many ')'\nfind: Arguments to -type should contain at least one letter\nfind: Arguments to -xtype should contain at least one letter\n"
		],
		[
			"touch a; printf 'a\\0\\0' >list; find -files0-from list; find -files0-from /; find -files0-from list -ok true ';' <list",
			"a\nfind: 'list':2: invalid zero-length file name\nfind: '/': read error: Is a directory\nfind: option -files0-from: standard input must not refer to the same file when combined with -ok, -okdir: 'list'\n\n"
		]
	])
});
