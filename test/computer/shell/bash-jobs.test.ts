import { expect, it } from 'vitest';
import { testFacts } from './bash-facts.ts';
import { ShellInMemory } from './in-memory.ts';

testFacts({
	'jobs that a signal ends': [
		['sleep 9 & kill -9 $!; wait %1 2>/dev/null; echo $?', '137\n'],
		['sleep 9 & kill %%; wait $! 2>/dev/null; echo $?', '143\n']
	]
});

it('means one job by `kill %%; wait %%`, however soon it ends', async () => {
	const shell = new ShellInMemory();
	// bash prints the same while the job is running, and "no such job" once it has ended.
	for (const between of ['', 'while kill -0 %% 2>/dev/null; do :; done;']) {
		const { stdout } = await shell.run(`sleep 9 & kill %%; ${between} wait %% 2>/dev/null; echo $?`);
		expect(stdout.toString()).toBe('143\n');
	}
	const { stdout } = await shell.run('true & wait; wait %% 2>/dev/null; echo $?');
	expect(stdout.toString()).toBe('127\n');
});
