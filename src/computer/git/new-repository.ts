import { encode } from './bytes.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { editConfig } from './config/edit-config.ts';
import { fatal } from './errors.ts';

const EXCLUDE = `# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;
const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";

/** Options of a new repository. */
export interface NewRepository {
	branch: string;
	bare?: boolean;
	/** Value of `core.worktree`. */
	worktree?: string | undefined;
	/** Template directory; '' for none, undefined for git's own. */
	template?: string | undefined;
	/** Value of `core.sharedRepository`. */
	shared?: string | undefined;
}

/** Creates the git directory of an empty repository, or adds missing parts to an existing one. */
export function createGitDirectory(files: SyncSyscalls, gitDir: string, options: NewRepository): void {
	const { branch, bare = false, worktree, template, shared } = options;
	for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
		files.mkdir(`${gitDir}/${name}`, { recursive: true });
	const write = (name: string, text: string): void => {
		if (!files.statOrNull(`${gitDir}/${name}`)) files.writeFile(`${gitDir}/${name}`, encode(text));
	};
	if (template === undefined) {
		for (const name of ['info', 'hooks']) files.mkdir(`${gitDir}/${name}`, { recursive: true });
		write('description', DESCRIPTION);
		write('info/exclude', EXCLUDE);
	} else if (template !== '') copyTemplate(files, template, gitDir);
	write('HEAD', `ref: refs/heads/${branch}\n`);
	const config = `${gitDir}/config`;
	const isNew = !files.statOrNull(config);
	let text = isNew ? '' : new TextDecoder().decode(files.readFile(config));
	const set = (key: string, value: string) => (text = editConfig(text, key, value));
	if (isNew || !/repositoryformatversion/i.test(text)) {
		set('core.repositoryformatversion', '0');
		set('core.filemode', 'true');
		set('core.bare', String(bare));
		if (!bare) set('core.logallrefupdates', 'true');
		if (worktree !== undefined) set('core.worktree', worktree);
	}
	if (shared !== undefined) {
		set('core.sharedrepository', shared);
		set('receive.denyNonFastforwards', 'true');
	}
	files.writeFile(config, encode(text));
}

/** Copies missing files of a template. Skips names that start with a dot, as git does. */
function copyTemplate(files: SyncSyscalls, from: string, to: string): void {
	files.mkdir(to, { recursive: true });
	for (const { name, kind } of files.readdir(from)) {
		if (name.startsWith('.')) continue;
		const [source, target] = [`${from}/${name}`, `${to}/${name}`];
		if (kind === 'directory') copyTemplate(files, source, target);
		else if (files.statOrNull(target)) continue;
		else if (kind === 'symlink') files.symlink(files.readlink(source), target);
		else files.writeFile(target, files.readFile(source), { mode: files.stat(source).mode & 0o777 });
	}
}

/** Parses `--shared` or `core.sharedRepository` to the stored form. Undefined: not shared. @throws GitError */
export function parseShared(text: string | undefined): string | undefined {
	if (text === undefined || text === 'umask' || text === 'false' || text === 'no' || text === '0') return undefined;
	if (text === '' || text === 'group' || text === 'true' || text === 'yes' || text === '1') return '1';
	if (text === 'all' || text === 'world' || text === 'everybody' || text === '2') return '2';
	if (!/^0?[0-7]{3}$/.test(text)) throw fatal(`bad numeric config value '${text}' for 'core.sharedrepository'`);
	return `0${text.replace(/^0/, '')}`;
}
