import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BothGits } from './both.ts';

let both: BothGits;

beforeEach(async () => {
	both = new BothGits();
	for (const line of ['git init -q', 'git config core.editor :', 'write a "1\\n"', 'git add .', 'git commit -qm base'])
		await both.step(line);
});

afterEach(() => both.close());

/** Runs steps on both sides, and returns what each would have shown in an editor. */
async function shownBy(...lines: string[]): Promise<{ native: string; ours: string }> {
	for (const line of lines) await both.step(line);
	const ours = both.memory.files.readFile('/workspace/.git/COMMIT_EDITMSG');
	return {
		native: fs.readFileSync(path.join(both.disk, '.git/COMMIT_EDITMSG'), 'utf8'),
		ours: new TextDecoder().decode(ours)
	};
}

it.each([
	['a first commit', ['git checkout -q --orphan first', 'git commit -q -e -m first']],
	[
		'staged, changed and new files',
		['write a "2\\n"', 'git add a', 'write a "3\\n"', 'write b "b\\n"', 'git commit -qem two']
	],
	['an amended commit', ['write a "2\\n"', 'git commit -qam two', 'git commit -q --amend']],
	['a commit by another author', ['git commit -q --allow-empty -e -m x --author "Eve <eve@example.org>"']],
	['a commit of another time', ['git commit -q --allow-empty -e -m x --date "1700000000 +0100"']],
	['a message that keeps its comments', ['git commit -q --allow-empty -e -m x --cleanup=whitespace']],
	['another letter for comments', ['git -c core.commentChar=; commit -q --allow-empty -e -m x']],
	['a message without a status', ['git -c commit.status=false commit -q --allow-empty -e -m x']],
	['a message signed off', ['git commit -q --allow-empty -s -e -m x']],
	['the message of another commit', ['write a "2\\n"', 'git commit -q -a -c HEAD']],
	['a patch below the message', ['write a "2\\n"', 'git commit -qavem x']]
])('explains %s in the editor as git does', async (_what, lines) => {
	const { native, ours } = await shownBy(...lines);
	expect(ours).toBe(native);
	expect((await both.git(['log', '--format=%B%an', '-1'], '')).ours.stdout).toBe(
		(await both.git(['log', '--format=%B%an', '-1'], '')).native.stdout
	);
});
