import { testFacts } from './bash-facts.ts';

testFacts({
	'faults of a regular expression': [
		[
			"for p in 'x\\{2' 'x\\{2y' 'x\\{2y\\}' 'x\\{\\}' 'x\\{3,2\\}' 'x\\{40000\\}' '[z-x]'; do grep \"$p\" </dev/null 2>&1; sed \"s/$p//\" </dev/null 2>&1; done",
			'grep: Unmatched \\{\nsed: -e expression #1, char 8: Unmatched \\{\ngrep: Unmatched \\{\nsed: -e expression #1, char 9: Unmatched \\{\ngrep: Invalid content of \\{\\}\nsed: -e expression #1, char 11: Invalid content of \\{\\}\ngrep: Invalid content of \\{\\}\nsed: -e expression #1, char 9: Invalid content of \\{\\}\ngrep: Invalid content of \\{\\}\nsed: -e expression #1, char 12: Invalid content of \\{\\}\ngrep: Regular expression too big\nsed: -e expression #1, char 14: Regular expression too big\ngrep: Invalid range end\nsed: -e expression #1, char 9: Invalid range end\n'
		],
		[
			"for p in 'x{2' 'x{2y}' 'x{}' 'x{3,2}' '*x' 'x|+' '(x|{2})'; do sed -E \"s/$p//\" </dev/null 2>&1; done; echo 'x{2y}' | grep -Eo 'x{2y}'; echo 'x{' | grep -Eo 'x{'; grep -E 'x{}' </dev/null 2>&1; echo xxx | grep -Eo 'x{,2}'",
			'sed: -e expression #1, char 7: Unmatched \\{\nsed: -e expression #1, char 9: Invalid content of \\{\\}\nsed: -e expression #1, char 7: Invalid content of \\{\\}\nsed: -e expression #1, char 10: Invalid content of \\{\\}\nsed: -e expression #1, char 6: Invalid preceding regular expression\nsed: -e expression #1, char 7: Invalid preceding regular expression\nsed: -e expression #1, char 11: Invalid preceding regular expression\nx{2y}\nx{\ngrep: Invalid content of \\{\\}\nxx\nx\n'
		],
		[
			"for p in '(x)|\\1' 'y|(.)y|\\1' '((x)y|z)\\2'; do echo xyx | grep -E \"$p\" 2>&1; done",
			'grep: Invalid back reference\ngrep: Invalid back reference\nxyx\n'
		]
	],
	'scripts of sed that end and escape': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir w; cd w; printf 'A\\nB\\nA\\n' >i; sed -n '0,/A/p' i; sed '0,/B/rx' i; for p in 'bx; :x' 'bx; :x ;' 'bx; :x#foo' '{ bx; :x }' ':a;$!{N;ba};s/\\n/,/g' 'b x ; : x '; do sed -n \"$p\" i; done; printf 's/1/a/\\r\\nd\\r\\n' >p; printf 's/./X/\\r\\n' >p2; sed -n -f p2 i; printf 's/./X/\\r' >p3; sed -f p3 i; sed -f p i; echo a | sed 's/./\\x6/;l;s/./\\d13/;l;s/./\\o5/;l;s/./\\dB\\xy\\o9/'; printf 'a\\na\\n' | sed 's/./\\d1234\\d513\\xabc/' | od -c; echo a | sed 's/./\\c\\\\x\\c[/' | od -c; printf 's/./\\\\c/\\n' >p; echo a | sed -f p; echo a | sed 'y/a/\\c\\\\/' | od -c; sed 'y/a/\\c/' i; sed 's/[[.//' i; sed 's/[[:]]//' i; echo 'a]b' | sed 's/[[:alpha:]]/x/g'; echo A^b | sed 's/\\x41/y/;s/\\o142/w/'; echo 'echo q' | sed 's/q/r/ep'; echo 'echo q' | sed 's/q/r/pe'; cd ..; rm -r w",
			"A\nA\nB\nA\nsed: file p3 line 1: unknown option to `s'\nsed: file p line 2: extra characters after command\n\\006$\n\\r$\n\\005$\ndBxyo9\n0000000   {   4 001 253   c  \\n   {   4 001 253   c  \\n\n0000014\n0000000 034   x 033  \\n\n0000004\n\\\n0000000 034  \\n\n0000002\nsed: -e expression #1, char 7: strings for `y' command are different lengths\nsed: -e expression #1, char 7: unterminated `s' command\nsed: -e expression #1, char 9: unterminated `s' command\nx]x\ny^w\nr\nr\necho r\nr\n"
		]
	],
	'files that sed edits in place': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir w; cd w; touch e; ln -s e l; ln -s l l2; sed -i'***' = ./e; sed -i'b*' = e; ls; echo q >e; sed -n --follow-symlinks F l l2 e; sed -i.k --follow-symlinks s/q/r/ l2; ls -l l2 | cut -c1; cat e; sed -i s/r/t/ l; ls -l l | cut -c1; cat e l; sed --follow-symlinks p no; echo $?; ln -s lo lo; sed --follow-symlinks -i p lo; echo $?; sed -i p w; cd ..; rm -r w",
			"sed: cannot rename ./e: No such file or directory\nbe\ne\nl\nl2\ne\ne\ne\nl\nr\n-\nr\nt\nsed: couldn't readlink no: No such file or directory\n4\nsed: couldn't follow symlink lo: Too many levels of symbolic links\n4\nsed: can't read w: No such file or directory\n"
		]
	],
	'devices and pipes that grep gets': [
		[
			"export LC_ALL=C; grep -D skip x /dev/zero; echo $?; echo x | grep -D skip x /dev/stdin; (awk 'BEGIN { for (i=0; i<100000; i++) print i; }' /dev/null | (trap '' PIPE; exec grep . 2>&3) | :) 3>&1 | (read a && echo $a; read b && echo $b); echo done",
			'1\ngrep: write error: Broken pipe\ndone\n'
		]
	],
	'the end of the last line in files that sed writes': [
		[
			"export LC_ALL=C; { printf 'a\\nb' | sed -n 'w out'; cat out; echo '|'; printf 'a\\nb' | sed -n 'w out\ns/b/c/w out'; cat out; echo '|'; printf 'a\\nb' | sed 'w /dev/stdout'; echo '|'; printf 'x\\ny' | sed -z 'w out'; od -c out; }",
			'a\nb|\na\nb\nc|\na\na\nbb|\nx\ny0000000   x  \\n   y\n0000003\n'
		]
	]
});
