import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { applyChanges, givenId } from '../refs/ref-transaction.ts';
import { RefCommands } from './ref-commands.ts';

const USAGE = 'update-ref [<options>] (-d <refname> [<old-oid>] | <refname> <new-oid> [<old-oid>] | --stdin [-z])';

/** `git update-ref`: updates and deletes refs for scripts, one ref or several in a transaction. */
export const updateRef: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		message: '-m =',
		delete: '-d',
		noDeref: '--no-deref',
		createLog: '--create-reflog',
		noLog: '--no-create-reflog',
		stdin: '--stdin',
		zero: '-z'
	});
	const how = {
		message: options.get('message') ?? '',
		isDirect: options.has('noDeref'),
		createsLog: options.has('createLog')
	};
	if (options.has('message') && how.message === '') throw fatal('Refusing to perform update with empty message.');
	if (options.has('stdin')) {
		if (options.operands.length > 0 || options.has('delete')) throw new GitError(`usage: git ${USAGE}`, 129);
		return new RefCommands(git, how, options.has('zero')).run();
	}
	if (options.has('zero')) throw new GitError(`usage: git ${USAGE}`, 129);
	const { repository } = git;
	const [name, ...values] = options.operands;
	const isDeletion = options.has('delete');
	if (name === undefined || values.length > (isDeletion ? 1 : 2) || (!isDeletion && values.length === 0))
		throw new GitError(`usage: git ${USAGE}`, 129);
	const [value, before] = isDeletion ? [NULL_ID, values[0]] : values;
	const to = givenId(repository, value ?? '');
	if (to === null) throw fatal(`${value}: not a valid SHA1`);
	const from = before === undefined ? null : givenId(repository, before === '' ? NULL_ID : before);
	if (before !== undefined && from === null) throw fatal(`${before}: not a valid old SHA1`);
	try {
		applyChanges(repository, [{ name, to, from, isDirect: how.isDirect }], how);
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		const text = error.message.replace(/^fatal: /, '');
		throw isDeletion ? new GitError(`error: ${text}`, 1) : fatal(`update_ref failed for ref '${name}': ${text}`);
	}
	return 0;
};
