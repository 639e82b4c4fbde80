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
	]
});
