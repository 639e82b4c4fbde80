import { expect, it } from 'vitest';
import { BothGits } from './both.ts';
it('first', async () => {
	const both = new BothGits();
	const script = [
		'git init',
		'write a.txt "one\\ntwo\\nthree\\n"',
		'write src/b.ts "function foo() {\\n  return 1;\\n}\\n"',
		'git status',
		'git status -s',
		'git add .',
		'git status',
		'git commit -m first',
		'git log',
		'git log --oneline',
		'write a.txt "one\\n2\\nthree\\n"',
		'git diff',
		'git diff --stat',
		'git commit -am second',
		'git show',
		'git log -p',
		'git diff HEAD~1',
		'git diff HEAD~1 HEAD --name-status',
		'git rev-parse HEAD HEAD~1 main',
		'git status',
		'rm a.txt',
		'git status --porcelain',
		'git rev-parse --abbrev-ref HEAD',
		'git foo',
		'git commit -m nothing'
	];
	let bad = 0;
	for (const line of script) {
		const r = await both.step(line);
		if (!r) continue;
		if (r.native.stdout !== r.ours.stdout || r.native.code !== r.ours.code) {
			bad++;
			console.log(
				`### ${line}\n--- native ${r.native.code}\n${r.native.stdout}${r.native.stderr}--- ours ${r.ours.code}\n${r.ours.stdout}${r.ours.stderr}`
			);
		}
	}
	const out = both.exported();
	console.log(out.git('fsck', '--strict'), JSON.stringify(out.git('status', '--porcelain')));
	both.close();
	expect(bad).toBe(0);
});
