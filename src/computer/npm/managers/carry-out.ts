import type { ProcessContext } from '#computer/process/program.ts';
import { absolute } from '#computer/abi/paths.ts';
import { execute, findBin } from '../execute.ts';
import { findManifest } from '../manifest.ts';
import { npmCommand } from '../npm-command.ts';
import type { Output } from '../output.ts';
import { chosen, eachMember, runInMembers, workingIn } from '../run-in-members.ts';
import type { Order } from './order.ts';

/**
 * Carries out an order, in each of the selected packages.
 * @returns the exit code.
 * @throws NpmError, ManifestError, Interrupted
 */
export async function carryOut(here: ProcessContext, output: Output, order: Order): Promise<number> {
	const context = order.directory === undefined ? here : workingIn(here, absolute(order.directory, here.cwd));
	const members = isWholeInstall(order) ? null : chosen(context, order.in ?? null, true);
	switch (order.do) {
		case 'print':
			if (order.lines.length > 0) output.print(...order.lines);
			return 0;
		case 'refuse':
			output.error(...order.lines);
			return 1;
		case 'npm':
			return eachMember(context, members, false, (where) => npmCommand(where, output, order.args));
		case 'program':
			return eachMember(context, members, false, (where) => spawned(where, order.argv));
		case 'exec':
			return eachMember(context, members, false, async (where) => {
				if (order.mayFetch || isThere(where, order.args[0])) return execute(where, output, order.args);
				return notFound(output, order.args[0]);
			});
		case 'run': {
			const { script, args, orCommand } = order;
			const packages = members ?? [findManifest(context.sync, context.cwd)];
			const withScript = packages.filter(({ scripts }) => scripts[script] !== undefined);
			if (orCommand && withScript.length === 0) {
				return eachMember(context, members, false, async (where) => {
					return isThere(where, script) ? execute(where, output, [script, ...args]) : notFound(output, script);
				});
			}
			// Of several packages, only those that have the script are selected.
			const meant = withScript.length > 0 ? withScript : packages;
			return runInMembers(context, output, meant, script, { args, silent: false, ifPresent: false, goOn: false });
		}
	}
}

/** All packages of a project are installed at once. */
const isWholeInstall = (order: Order): boolean =>
	order.do === 'npm' && order.args[0] === 'install' && order.args.slice(1).every((arg) => arg.startsWith('-'));

const isThere = (context: ProcessContext, command = ''): boolean =>
	command !== '' && findBin(context, findManifest(context.sync, context.cwd), command) !== null;

function notFound(output: Output, command = ''): number {
	output.error(
		command === '' ? 'Say which command to run.' : `Command "${command}" not found.`,
		'It is neither a script of package.json nor a command of an installed package: see "npm run" and node_modules/.bin.'
	);
	return 1;
}

async function spawned({ sync, async, cwd, env }: ProcessContext, argv: string[]): Promise<number> {
	return (await async.waitPid(sync.spawn({ argv, cwd, env }))).code;
}
