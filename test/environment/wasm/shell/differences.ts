/** Theme → command → why its answer differs from what was recorded. One that starts to agree must leave the list. */
export const DIFFERENCES: Record<string, Record<string, string>> = {
	day: {
		"stat -c '%F %s' v1.txt src; stat -c %a .env; stat -L -c %h v1.txt; stat nope; echo $?": 'stat knows no %h',
		"printf '%q %s\\n' 'a b' \"it's\"; printf '%3$s %1$s\\n' a b c 2>/dev/null; echo $?":
			'a positional `%3$s` is taken as its argument; bash prints what follows the `%` it refuses',
		"date -u -d '2024-01-31T10:20:30Z' '+%d/%m/%y %I:%M %p %Z %z %s %e %-d %-m'":
			'`%-d`, without padding, is unknown to date here',
		"printf '1 a\\n2 b\\n' > l; printf '1 x\\n3 y\\n' > r; join l r; join -a1 -e- -o 0,1.2,2.2 l r; join -v2 l r; rm l r":
			'join knows no field 0 in -o',
		"printf 'hello\\n' | xxd; printf 'hi' | xxd -p; echo 6869 | xxd -r -p; echo; printf 'ABC' | xxd -b":
			'xxd prints no bits',
		"echo hello | base64; echo aGVsbG8K | base64 -d; printf 'a%.0s' {1..60} | base64 -w 20; echo hi | base32":
			'base32 is not there',
		"expr 3 + 4; expr 7 / 2; expr length hello; expr substr hello 2 3; expr index hello l; expr abc : 'a\\(.*\\)'; expr 1 \\> 2; echo $?":
			'expr gives the length of a match, and not its group'
	},
	files: {
		"printf -- '--- v1.txt\\n+++ v1.txt\\n@@ -1,2 +1,2 @@\\n alpha\\n-beta\\n+B\\n' | patch --dry-run v1.txt; sed -n 2p v1.txt":
			'GNU counts the context that the hunk lacks at its end as fuzz and says so; the result is the same'
	},
	language: {
		'echo $LINENO; f() { echo ${FUNCNAME[0]}; }; f; echo ${BASH_SOURCE[0]:-none}':
			'BASH_SOURCE holds `bash` in a shell that has no script',
		's="Hello World"; echo ${s,,} ${s^^} ${s,} ${s~~} ${#s} ${s:6} ${s: -5:2} ${s:0:-6}':
			'${s~~} is unknown to the parser; the other expansions agree',
		's=hello; echo ${s^} ${s^^[aeiou]}': 'the parser drops the pattern of ${s^^pattern}',
		'coproc cat; echo hello >&${COPROC[1]}; read -r x <&${COPROC[0]}; echo "got $x"; kill $COPROC_PID':
			'coproc is unknown to the parser'
	},
	text: {
		'csplit -s v1.txt /gamma/ && cat xx00': 'csplit is not there',
		'base64 -d <<< aGk= ; echo': 'the parser takes a here-string like aGk= for an assignment',
		"jq -r '.[] | [.id, .name] | @csv' users.json": "just-bash's jq quotes text in @csv only where it must",
		"jq -c 'group_by(.age > 30) | map(length)' users.json": "just-bash's jq keeps the groups in order of appearance",
		"jq '.a' <<< '{bad'; echo $?": "just-bash's jq ends with 5 on bad JSON, as jq 1.5 did"
	}
};
