/** Theme → command → why its answer differs from what was recorded. One that starts to agree must leave the list. */
export const DIFFERENCES: Record<string, Record<string, string>> = {
	day: {},
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
