import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { NODE_VERSION, NPM_VERSION } from '#computer/abi/versions.ts';
import { NpmError } from './errors.ts';
import { Interrupted } from './install/interruption.ts';
import { bun, BUN_VERSION } from './managers/bun.ts';
import { carryOut } from './managers/carry-out.ts';
import { type Order, type ReadOrder, withoutDashes } from './managers/order.ts';
import { pnpm, PNPM_VERSION } from './managers/pnpm.ts';
import { yarn, YARN_VERSION } from './managers/yarn.ts';
import { inside, ManifestError } from './manifest.ts';
import { Output } from './output.ts';
import { projectAbove } from './tree/workspaces.ts';

interface Manager {
	/** Parses its arguments. */
	read: ReadOrder;
	/** Its name and version, for the environment of programs it runs. */
	agent: string;
}

const NPM = `npm/${NPM_VERSION}`;
const npm: Manager = { read: (args) => ({ do: 'npm', args }), agent: NPM };
const fetched: ReadOrder = (args) => ({ do: 'exec', args, mayFetch: true });
const npx: ReadOrder = (args) =>
	/^(--version|-v)$/.test(args[0] ?? '') ? { do: 'print', lines: [NPM_VERSION] } : fetched(withoutDashes(args));

/** Every name under which this program is called. */
const MANAGERS: Record<string, Manager> = {
	npm,
	npx: { read: npx, agent: NPM },
	pnpm: { read: pnpm, agent: `pnpm/${PNPM_VERSION}` },
	pnpx: { read: fetched, agent: `pnpm/${PNPM_VERSION}` },
	yarn: { read: yarn, agent: `yarn/${YARN_VERSION}` },
	yarnpkg: { read: yarn, agent: `yarn/${YARN_VERSION}` },
	bun: { read: bun, agent: `bun/${BUN_VERSION}` },
	bunx: { read: (args) => bun(['x', ...args]), agent: `bun/${BUN_VERSION}` },
	corepack: { read: (args) => corepack(args), agent: NPM }
};

/** Main function of `npm`, `npx` and the other package managers. @returns the exit code */
export async function packageManager(context: ProcessContext): Promise<number> {
	const [called = 'npm', ...args] = context.argv;
	const name = called.split('/').pop() ?? called;
	const output = new Output(context, name === 'npx' ? 'npm' : name);
	try {
		const { read, agent } = MANAGERS[name] ?? npm;
		const env = { ...context.env, npm_config_user_agent: `${agent} node/${NODE_VERSION} linux x64 workspaces/false` };
		const order = read(args);
		if (name.startsWith('yarn') && order.do === 'npm' && INSTALLING.includes(order.args[0] ?? ''))
			noteYarnPath(context, output);
		return await carryOut({ ...context, env }, output, order);
	} catch (error) {
		if (error instanceof Interrupted) return 130;
		if (error instanceof NpmError) {
			output.error(`code ${error.code}`, ...error.lines);
			return 1;
		}
		// Of the file system: full, or not to be written to.
		if (error instanceof SyscallError) {
			output.error(`code ${error.code}`, error.message);
			return 1;
		}
		if (!(error instanceof ManifestError)) throw error;
		output.error(`code ${error.code}`, error.message);
		return error.code === 'ENOENT' ? 254 : 1;
	}
}

const INSTALLING = ['install', 'uninstall', 'update'];

/** Notes that the project's own yarn is not run: features specific to it are missing. */
function noteYarnPath({ sync, cwd }: ProcessContext, output: Output): void {
	const file = inside(projectAbove(sync, cwd), '.yarnrc.yml');
	const text = sync.statOrNull(file) ? new TextDecoder().decode(sync.readFile(file)) : '';
	const path = /^yarnPath:\s*(\S+)/m.exec(text)?.[1];
	if (path)
		output.error(
			`${path} of .yarnrc.yml does not run in this sandbox: npm does the work, by the versions of yarn.lock.`
		);
}

/** Its files are already present. */
function corepack([command = '', ...rest]: string[]): Order {
	const manager = Object.hasOwn(MANAGERS, command) ? MANAGERS[command] : undefined;
	if (manager && command !== 'corepack') return manager.read(rest);
	const lines = /^(|-h|--help|help)$/.test(command)
		? ['pnpm and yarn are commands of this sandbox without corepack.']
		: [];
	return { do: 'print', lines };
}
