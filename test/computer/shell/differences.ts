/**
 * Topic → command → why its output differs from the recorded one. A command whose output matches again must be removed.
 */
export const DIFFERENCES: Record<string, Record<string, string>> = {
	agents: {
		"echo -e 'a\\x41\\101\\u00e9\\cb'": 'the sandbox speaks UTF-8 in every locale',
		"tree -I 'legacy|web' -F src": '-F does not mark the directory that was named',
		"tree -a -P '*.tsx' --prune src": '--prune keeps directories that only hold what the pattern leaves out',
		"echo '!!' | base64 -d 2>&1": "just-bash's base64 passes over what is no base64",
		"jq . <<< '1.0 1e3 100000000000000000000 0.00001 -0'": 'jq 1.7 keeps a number as it was written, 1.6 did not',
		"env -i A=1 bash -c 'echo $A ${HOME:-nohome}'": 'a shell without HOME takes that of the user'
	},
	day: {},
	files: {
		"printf -- '--- v1.txt\\n+++ v1.txt\\n@@ -1,2 +1,2 @@\\n alpha\\n-beta\\n+B\\n' | patch --dry-run v1.txt; sed -n 2p v1.txt":
			'GNU counts the context that the hunk lacks at its end as fuzz and says so; the result is the same'
	},
	text: {
		'csplit -s v1.txt /gamma/ && cat xx00': 'csplit is not there'
	}
};
