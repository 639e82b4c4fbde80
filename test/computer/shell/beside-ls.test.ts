import { testFacts } from './bash-facts.ts';

/** Runs each script in a new folder, errors among the output. */
const inAFolder = (facts: [script: string, stdout: string][]): [string, string][] =>
	facts.map(([script, stdout]) => [`mkdir f; cd f; export LC_ALL=C; { ${script}; } 2>&1; cd ..; rm -rf f`, stdout]);

testFacts({
	'formats and columns': inAFolder([
		[
			"mkdir d; touch d/a 'd/b c' d/dd.txt d/eeee; printf x >d/.h; ls d; ls -C -w 20 d; ls -x -w 14 d; ls -m -w 12 d; ls -C -w 0 d; ls -aF d; ls -A d; ls -C -T 4 -w 30 d; ls -w4 -x -T0 d; ls --format=commas d; dir -w 40 d; COLUMNS=15 ls -C d; ls --format=no d",
			"a\nb c\ndd.txt\neeee\na    dd.txt\nb c  eeee\na\tb c\ndd.txt\teeee\na, b c,\ndd.txt,\neeee\na  b c  dd.txt  eeee\n./\n../\n.h\na\nb c\ndd.txt\neeee\n.h\na\nb c\ndd.txt\neeee\na  b c\tdd.txt\teeee\na\nb c\ndd.txt\neeee\na, b c, dd.txt, eeee\na  b\\ c  dd.txt  eeee\na    dd.txt\nb c  eeee\nls: invalid argument 'no' for '--format'\nValid arguments are:\n  - 'verbose', 'long'\n  - 'commas'\n  - 'horizontal', 'across'\n  - 'vertical'\n  - 'single-column'\nTry 'ls --help' for more information.\n"
		],
		[
			"touch a 'b c' 'd\"e' \"f'g\" \"$(printf 'h\\ti')\" 'j\\k'; for s in literal shell shell-always shell-escape shell-escape-always c c-maybe escape locale clocale; do echo $s; ls --quoting-style=$s; done; ls -q; ls -b; ls -Q; ls -N; QUOTING_STYLE=c ls; ls --quoting-style=x; ls --quoting-style=shell -og --time-style=+T | sed 's/.*T//'",
			"literal\na\nb c\nd\"e\nf'g\nh\ti\nj\\k\nshell\na\n'b c'\n'd\"e'\n\"f'g\"\n'h\ti'\n'j\\k'\nshell-always\n'a'\n'b c'\n'd\"e'\n\"f'g\"\n'h\ti'\n'j\\k'\nshell-escape\na\n'b c'\n'd\"e'\n\"f'g\"\n'h'$'\\t''i'\n'j\\k'\nshell-escape-always\n'a'\n'b c'\n'd\"e'\n\"f'g\"\n'h'$'\\t''i'\n'j\\k'\nc\n\"a\"\n\"b c\"\n\"d\\\"e\"\n\"f'g\"\n\"h\\ti\"\n\"j\\\\k\"\nc-maybe\na\nb c\n\"d\\\"e\"\nf'g\n\"h\\ti\"\nj\\k\nescape\na\nb\\ c\nd\"e\nf'g\nh\\ti\nj\\\\k\nlocale\n'a'\n'b c'\n'd\"e'\n'f\\'g'\n'h\\ti'\n'j\\\\k'\nclocale\n\"a\"\n\"b c\"\n\"d\\\"e\"\n\"f'g\"\n\"h\\ti\"\n\"j\\\\k\"\na\nb c\nd\"e\nf'g\nh?i\nj\\k\na\nb\\ c\nd\"e\nf'g\nh\\ti\nj\\\\k\n\"a\"\n\"b c\"\n\"d\\\"e\"\n\"f'g\"\n\"h\\ti\"\n\"j\\\\k\"\na\nb c\nd\"e\nf'g\nh\ti\nj\\k\n\"a\"\n\"b c\"\n\"d\\\"e\"\n\"f'g\"\n\"h\\ti\"\n\"j\\\\k\"\nls: invalid argument 'x' for '--quoting-style'\nValid arguments are:\n  - 'literal'\n  - 'shell'\n  - 'shell-always'\n  - 'shell-escape'\n  - 'shell-escape-always'\n  - 'c'\n  - 'c-maybe'\n  - 'escape'\n  - 'locale'\n  - 'clocale'\nTry 'ls --help' for more information.\ntotal 0\n  a\n 'b c'\n 'd\"e'\n \"f'g\"\n 'h\ti'\n 'j\\k'\n"
		]
	]),
	'orders of files': inAFolder([
		[
			"touch a10 a9 b.c A.z .q ab; printf 12345 >big; printf 1 >small; mkdir dir; touch -d '2001-01-01' ab; ls; ls -r; ls -S small big; ls -v; ls -X; ls -t ab big; ls -tr ab big; ls --sort=width; ls --group-directories-first -r; ls -a -I 'a*' -B; ls --hide='b*'; ls -A --hide='b*'",
			'A.z\na10\na9\nab\nb.c\nbig\ndir\nsmall\nsmall\ndir\nbig\nb.c\nab\na9\na10\nA.z\nbig\nsmall\nA.z\na9\na10\nab\nb.c\nbig\ndir\nsmall\na10\na9\nab\nbig\ndir\nsmall\nb.c\nA.z\nbig\nab\nab\nbig\na9\nab\nA.z\na10\nb.c\nbig\ndir\nsmall\ndir\nsmall\nbig\nb.c\nab\na9\na10\nA.z\n.\n..\n.q\nA.z\nb.c\nbig\ndir\nsmall\nA.z\na10\na9\nab\ndir\nsmall\n.q\nA.z\na10\na9\nab\nb.c\nbig\ndir\nsmall\n'
		],
		[
			'touch a.tar.gz a-1.tar.gz a~ a b1 b01 b1~ b1.txt b1a B .a .b1 1 10 9 9.1 9.10 9.9; ls -vA; ls -rv',
			'.a\n.b1\n1\n9\n9.1\n9.9\n9.10\n10\nB\na~\na\na.tar.gz\na-1.tar.gz\nb1~\nb01\nb1\nb1.txt\nb1a\nb1a\nb1.txt\nb1\nb01\nb1~\na-1.tar.gz\na.tar.gz\na\na~\nB\n10\n9.10\n9.9\n9.1\n9\n1\n'
		]
	]),
	'rows, links and times': inAFolder([
		[
			"umask 022; printf 12345 >f; mkdir d; ln -s f l; ln -s no g; touch -d '2001-02-03 04:05:06.789 UTC' f d; export TZ=UTC0; ls -gG f; ls -go --time-style=long-iso f; ls -go --time-style=full-iso f d -d; ls -gG --time-style=+%Y f; ls -o -g --full-time f; ls -F l g d -d; ls -gGL --time-style=+ g f; ls -H l; ls -p; ls --file-type; ls -sd f; ls -gGh --block-size=1K --time-style=+ f; ls -gG --si --time-style=+ f; ls no; ls no f; ls --time-style=x -l",
			"-rw-r--r-- 1 5 Feb  3  2001 f\n-rw-r--r-- 1 5 2001-02-03 04:05 f\ndrwxr-xr-x 2 4096 2001-02-03 04:05:06.789000000 +0000 d\n-rw-r--r-- 1    5 2001-02-03 04:05:06.789000000 +0000 f\n-rw-r--r-- 1 5 2001 f\n-rw-r--r-- 1 5 2001-02-03 04:05:06.789000000 +0000 f\nd/\ng@\nl@\nls: cannot access 'g': No such file or directory\n-rw-r--r-- 1 5  f\nl\nd/\nf\ng\nl\nd/\nf\ng@\nl@\n4 f\n-rw-r--r-- 1 1  f\n-rw-r--r-- 1 5  f\nls: cannot access 'no': No such file or directory\nls: cannot access 'no': No such file or directory\nf\nls: invalid argument 'x' for 'time style'\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\nTry 'ls --help' for more information.\n"
		],
		[
			"mkdir -p a/b; touch a/x a/b/y; ln -s ../../a a/b/up; ls -R a; ls -RL a; ls a f a/x; ls -d a a/b; ls -l --dired a/b | tail -2 | wc -l; ls --zero a | tr '\\0' '|'; ls --zero --dired -l a",
			"a:\nb\nx\n\na/b:\nup\ny\na:\nb\nx\n\na/b:\nup\ny\nls: a/b/up: not listing already-listed directory\nls: cannot access 'f': No such file or directory\na/x\n\na:\nb\nx\na\na/b\n2\nb|x|ls: --dired and --zero are incompatible\n"
		]
	]),
	'colours of names': inAFolder([
		[
			"umask 022; mkdir d o s; chmod o+w o; chmod +t s; touch f x.sh p.png; chmod +x x.sh; ln -s f l; ln -s no g; show() { cat -v; }; TERM=xterm ls --color=always | show; LS_COLORS='di=1:ex=2:*.PNG=3:or=4:ln=target:mi=5' ls -1 --color | show; LS_COLORS='no=7:fi=8:ow=' ls -F --color | show; LS_COLORS='x' ls --color | show; LS_COLORS='zz=1' ls --color=always d; ls --color=never; TERM=dumb ls --color=always; LS_COLORS='lc=<:rc=>:ec=|' ls --color -C -w 60 | show; ls --color=x",
			"^[[0m^[[01;34md^[[0m\nf\n^[[01;36mg^[[0m\n^[[01;36ml^[[0m\n^[[34;42mo^[[0m\np.png\n^[[37;44ms^[[0m\n^[[01;32mx.sh^[[0m\n^[[0m^[[1md^[[0m\nf\n^[[4mg^[[0m\nl\n^[[34;42mo^[[0m\n^[[3mp.png^[[0m\n^[[37;44ms^[[0m\n^[[2mx.sh^[[0m\n^[[0m^[[7m^[[m^[[01;34md^[[0m/\n^[[7m^[[m^[[8mf^[[0m\n^[[7m^[[m^[[01;36mg^[[0m@\n^[[7m^[[m^[[01;36ml^[[0m@\n^[[7m^[[m^[[01;34mo^[[0m/\n^[[7m^[[m^[[8mp.png^[[0m\n^[[7m^[[m^[[37;44ms^[[0m/\n^[[7m^[[m^[[01;32mx.sh^[[0m*\nls: unparsable value for LS_COLORS environment variable\nd\nf\ng\nl\no\np.png\ns\nx.sh\nls: unrecognized prefix: 'zz'\nls: unparsable value for LS_COLORS environment variable\nd\nf\ng\nl\no\np.png\ns\nx.sh\nd\nf\ng\nl\no\np.png\ns\nx.sh\n|<01;34>d|  f  <01;36>g|  <01;36>l|  <34;42>o|  p.png  <37;44>s|  <01;32>x.sh|\n<>ls: invalid argument 'x' for '--color'\nValid arguments are:\n  - 'always', 'yes', 'force'\n  - 'never', 'no', 'none'\n  - 'auto', 'tty', 'if-tty'\nTry 'ls --help' for more information.\n"
		]
	])
});
