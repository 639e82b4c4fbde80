import { encode } from './bytes.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';

const EXCLUDE = `# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;

/** Makes the `.git` of a repository without commits, or fills in what one lacks. */
export function createGitDirectory(files: SyncSyscalls, gitDir: string, branch: string, bare = false): void {
	for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks']) {
		files.mkdir(`${gitDir}/${name}`, { recursive: true });
	}
	const write = (name: string, text: string): void => {
		if (!files.statOrNull(`${gitDir}/${name}`)) files.writeFile(`${gitDir}/${name}`, encode(text));
	};
	write('HEAD', `ref: refs/heads/${branch}\n`);
	write(
		'config',
		`[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n` +
			(bare ? '' : '\tlogallrefupdates = true\n')
	);
	write('description', "Unnamed repository; edit this file 'description' to name the repository.\n");
	write('info/exclude', EXCLUDE);
}
