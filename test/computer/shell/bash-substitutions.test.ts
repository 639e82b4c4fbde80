import { testFacts } from './bash-facts.ts';

/** Commands that read operands one after the other, each with its leading arguments. */
const READERS = [
	...['cat -n', 'head -2', 'head -n -1', 'tail -2', 'tail -n +2', 'nl', 'rev', 'cut -c1', 'paste -s', 'uniq -c'],
	...['sort -r', 'tsort', 'wc -l', 'fold -w 1', 'fmt', 'pr -t', 'expand', 'unexpand', 'column', 'od -c'],
	...['hexdump -C', 'strings -n 1', 'grep -n 2', 'sed 2d', 'sum', 'cksum'],
	...['md5sum', 'sha256sum', 'awk {print$1+1}', 'tac', 'base64', 'xxd', 'jq .', 'comm f', 'join f', 'cmp f', 'diff f']
];
const withFile = (file: string) => READERS.map((command) => `${command} ${file}`).join('; ');

testFacts({
	'commands beside the scripts that they read from': [
		['head -1 <(yes); yes | head -q -n 2 <(yes no) -', 'y\nno\nno\ny\ny\n'],
		['while read l; do echo $l; break; done < <(yes); read -n 3 x < <(yes); echo $x', 'y\ny\n'],
		['exec 3< <(yes a); read -u 3 l; echo $l; exec 3<&-; wait $!; echo $?', 'a\n141\n'],
		['sed 3q <(seq 1000000) | tail -1; grep -m 1 99 <(seq 1000000); cut -c2 <(yes abc) | head -1', '3\n99\nb\n'],
		['cat <(while [ ! -e f ]; do sleep 0.01; done; echo seen) <(touch f)', 'seen\n'],
		[
			'f() { head -1 $1; touch g; cat $1; }; f <(printf "1\\n"; until [ -e g ]; do sleep 0.01; done; echo 2) & wait',
			'1\n2\n'
		],
		[
			'paste <(seq 3) <(seq 4 6) -d:; diff <(seq 3) <(seq 2 4); cmp <(echo a) <(echo a) && echo same',
			'1:4\n2:5\n3:6\n1d0\n< 1\n3a3\n> 4\nsame\n'
		],
		['read -t 2 x < <(printf part; until [ -e h ]; do sleep 0.01; done); echo $? $x; touch h', '142 part\n'],
		['{ read -t 0.1 x; touch i; read y; echo $y; } < <(until [ -e i ]; do sleep 0.01; done; echo late)', 'late\n']
	],
	'scripts of process substitutions': [
		['echo in | { cat <(cat); }; echo in | { read x < <(cat); echo $x; }', 'in\nin\n'],
		['set -e; cat <(false; echo no); echo on', 'on\n'],
		[
			'{ set -x; cat <(echo a); read x < <(echo b); echo c > >(cat); } 2>&1 | sed "s|/[^ ]*|FILE|" | sort',
			'+ cat FILE\n+ echo c\n+ read x\n++ cat\n++ echo a\n++ echo b\na\nc\n'
		],
		[
			'cat <(echo $BASHPID; [ $BASHPID != $$ ] && echo $BASH_SUBSHELL; jobs) > f; read p < f; [ $p = $! ]; echo $?; tail -1 f',
			'0\n1\n'
		],
		['[ -p <(:) ]; echo $?; [ -f <(:) ]; echo $?; [[ -e >(cat) ]]; echo $?', '0\n1\n0\n'],
		['source <(echo x=5; echo "echo sourced"); echo $x; . <(echo "return 4"); echo $?', 'sourced\n5\n4\n']
	],
	'files of >(…)': [
		[
			'seq 3 | tee >(sed s/^/a/ >f) >(sed s/^/b/ >g) >/dev/null; until [ -s f -a -s g ]; do sleep 0.01; done; cat f g',
			'a1\na2\na3\nb1\nb2\nb3\n'
		],
		['{ echo 1; until [ -s f ]; do sleep 0.01; done; echo 2; } | tee >(head -1 >f) >/dev/null; cat f', '1\n'],
		[
			'f() { echo one >$1; echo two >>$1; }; f >(cat >g; echo end >>g); until grep -qs end g; do sleep 0.01; done; cat g',
			'one\ntwo\nend\n'
		],
		['seq 9 | sort -r -o >(head -1 >h); until [ -s h ]; do sleep 0.01; done; cat h', '9\n']
	],
	'operands that are pipes': [
		[
			`seq 1 3 >f; { ${withFile('f')}; } >a 2>&1; { ${withFile('<(cat f)')}; } 2>&1 | sed "s#/[^ ]*[0-9]#f#" >b; diff a b`,
			''
		]
	]
});
