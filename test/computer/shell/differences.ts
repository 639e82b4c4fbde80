/** Theme → command → why its answer differs from what was recorded. One that starts to agree must leave the list. */
export const DIFFERENCES: Record<string, Record<string, string>> = {
	agents: {
		"echo -e 'a\\x41\\101\\u00e9\\cb'": 'the sandbox speaks UTF-8 in every locale',
		'nl src/tally.py | head -6': "just-bash's nl puts a tab, not a blank, where a line has no number",
		"tree -I 'legacy|web' -F src": '-F does not mark the directory that was named',
		"tree -a -P '*.tsx' --prune src": '--prune keeps directories that only hold what the pattern leaves out',
		"echo '!!' | base64 -d 2>&1": "just-bash's base64 passes over what is no base64",
		"jq -r '.[0] | [.id,.user,.note] | @csv' data/orders.json": "just-bash's jq quotes text in @csv only where it must",
		"jq --indent 1 '.meta.tags' data/tree.json": "just-bash's jq has no --indent",
		"jq . <<< '1.0 1e3 100000000000000000000 0.00001 -0'": "just-bash's jq writes numbers as JavaScript does",
		'jq \'.[0].at | fromdateiso8601, (fromdate|todate), (strptime("%Y-%m-%dT%H:%M:%SZ")|mktime), (.[0:10])\' data/orders.json':
			"just-bash's jq knows neither fromdateiso8601 nor strptime",
		'jq -nc \'[3,1,2]|sort, min, max, reverse, index(1), (map(.>1)|any,all), unique, contains([1]), (.-[1]), join("-")\'':
			"just-bash's jq leaves the order in `unique`",
		"echo '{bad' | jq . 2>&1": "just-bash's jq ends with 5 on bad JSON, in words of its own",
		"jq -c '[.[]|{id,user}]|INDEX(.id)|map_values(.user)' data/orders.json": "just-bash's jq takes INDEX for a lookup",
		"jq -nc '[inputs]' <<< '1 2'": "just-bash's jq has neither input nor inputs",
		"jq -c 'label $f | .[] | if . > 2 then break $f else . end' <<< '[1,2,3]'; jq -c '[.[]|(.a,.b)=9]' <<< '[{\"a\":1}]'; jq -c '.[] |= (.+1)' <<< '[1,2]'; jq -c '.. |= (if type==\"number\" then .+1 else . end)' <<< '[1,[2]]'; jq -c 'del(.[1,2])' <<< '[1,2,3,4]'; jq -c '.a // \"d\", (.b? // \"e\"), .c.d?' <<< '{\"a\":false}'; jq -c 'has(\"a\"), (keys|length), to_entries[0].key, (tojson|fromjson), @text' <<< '{\"a\":1}'":
			"just-bash's jq assigns to and deletes several paths at once wrongly",
		"env -i A=1 bash -c 'echo $A ${HOME:-nohome}'": 'a shell without HOME takes that of the user'
	},
	day: {},
	files: {
		"printf -- '--- v1.txt\\n+++ v1.txt\\n@@ -1,2 +1,2 @@\\n alpha\\n-beta\\n+B\\n' | patch --dry-run v1.txt; sed -n 2p v1.txt":
			'GNU counts the context that the hunk lacks at its end as fuzz and says so; the result is the same'
	},
	text: {
		'csplit -s v1.txt /gamma/ && cat xx00': 'csplit is not there',
		"jq -r '.[] | [.id, .name] | @csv' users.json": "just-bash's jq quotes text in @csv only where it must",
		"jq -c 'group_by(.age > 30) | map(length)' users.json": "just-bash's jq keeps the groups in order of appearance",
		"jq '.a' <<< '{bad'; echo $?": "just-bash's jq ends with 5 on bad JSON, as jq 1.5 did"
	}
};
