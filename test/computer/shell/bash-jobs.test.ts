import { testFacts } from './bash-facts.ts';

testFacts({
	'jobs that a signal ends': [
		['sleep 9 & kill %%; wait %% 2>/dev/null; echo $?', '143\n'],
		['sleep 9 & kill -9 $!; wait %1 2>/dev/null; echo $?', '137\n']
	]
});
