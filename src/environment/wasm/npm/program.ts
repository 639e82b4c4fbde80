import type { ProcessContext } from '../process/program.ts';
import { NPM_VERSION } from './environment.ts';
import { NpmError } from './errors.ts';
import { Interrupted } from './install/interruption.ts';
import { bun, BUN_VERSION } from './managers/bun.ts';
import { carryOut } from './managers/carry-out.ts';
import type { Order, ReadOrder } from './managers/order.ts';
import { pnpm, PNPM_VERSION } from './managers/pnpm.ts';
import { yarn, YARN_VERSION } from './managers/yarn.ts';
import { ManifestError } from './manifest.ts';
import { Output } from './output.ts';

const npm: ReadOrder = (args) => ({ do: 'npm', args });
const fetched: ReadOrder = (args) => ({ do: 'exec', args, mayFetch: true });

/** Every name this program is called by → how its words are read. */
const MANAGERS: Record<string, ReadOrder> = {
	npm,
	npx: (args) =>
		/^(--version|-v)$/.test(args[0] ?? '')
			? { do: 'print', lines: [NPM_VERSION] }
			: fetched(args[0] === '--' ? args.slice(1) : args),
	pnpm,
	pnpx: fetched,
	yarn,
	yarnpkg: yarn,
	bun,
	bunx: (args) => bun(['x', ...args]),
	corepack: (args) => corepack(args)
};

/** How programs that are run tell who runs them, for the words they use. */
function userAgent(name: string): string {
	const agent = name.startsWith('pn')
		? `pnpm/${PNPM_VERSION}`
		: name.startsWith('yarn')
			? `yarn/${YARN_VERSION}`
			: name.startsWith('bun')
				? `bun/${BUN_VERSION}`
				: `npm/${NPM_VERSION}`;
	return `${agent} node/v22.12.0 linux x64 workspaces/false`;
}

/** The program behind `npm`, `npx` and what does the same under other names. @returns the exit code */
export async function packageManager(context: ProcessContext): Promise<number> {
	const [called = 'npm', ...args] = context.argv;
	const name = called.split('/').pop() ?? called;
	const output = new Output(context, name === 'npx' ? 'npm' : name);
	try {
		const read = MANAGERS[name] ?? npm;
		const env = { ...context.env, npm_config_user_agent: userAgent(name) };
		return await carryOut({ ...context, env }, output, read(args));
	} catch (error) {
		if (error instanceof Interrupted) return 130;
		if (error instanceof NpmError) {
			output.error(`code ${error.code}`, ...error.lines);
			return 1;
		}
		if (!(error instanceof ManifestError)) throw error;
		output.error(`code ${error.code}`, error.message);
		return error.code === 'ENOENT' ? 254 : 1;
	}
}

/** What it would fetch is here already. */
function corepack([command = '', ...rest]: string[]): Order {
	const read = Object.hasOwn(MANAGERS, command) ? MANAGERS[command] : undefined;
	if (read && command !== 'corepack') return read(rest);
	const lines = /^(|-h|--help|help)$/.test(command)
		? ['pnpm and yarn are commands of this sandbox without corepack.']
		: [];
	return { do: 'print', lines };
}
