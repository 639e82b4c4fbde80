import { chosenEditor, editFile } from '../editor.ts';
import { fatal } from '../errors.ts';
import { cleanMessage, commentMark } from '../history/commit-message.ts';
import type { Invocation } from '../invocation.ts';
import { namedBranch } from '../refs/branch-name.ts';

/** Opens the description of a branch in the editor: of the current one if none is named. */
export function editDescription(git: Invocation, names: readonly string[]): number {
	const { repository } = git;
	const { config, refs } = repository;
	const current = refs.symbolic('HEAD')?.replace(/^refs\/heads\//, '') ?? null;
	if (names.length > 1) throw fatal('cannot edit description of more than one branch');
	const name = names[0] === undefined ? current : namedBranch(repository, names[0]);
	if (name === null) throw fatal('Cannot give description to detached HEAD');
	if (refs.resolve(`refs/heads/${name}`) === null) {
		git.err(name === current ? `error: No commit on branch '${name}' yet.\n` : `error: No branch named '${name}'.\n`);
		return 1;
	}
	const editor = chosenEditor(git);
	if (editor === null) throw fatal(`there is no editor here: use 'git config branch.${name}.description <text>'`);
	const key = `branch.${name}.description`;
	const old = config.get(key);
	const mark = commentMark(config);
	const hints = [
		'Please edit the description for the branch',
		`  ${name}`,
		`Lines starting with '${mark}' will be stripped.`
	];
	const start = old === undefined ? '\n' : old.endsWith('\n') ? old : `${old}\n`;
	const draft = start + hints.map((line) => `${mark} ${line}\n`).join('');
	const text = cleanMessage(editFile(git, editor, 'EDIT_DESCRIPTION', draft), true, mark);
	if (text !== '' || old !== undefined) config.set(`${repository.commonDir}/config`, key, text === '' ? null : text);
	return 0;
}
