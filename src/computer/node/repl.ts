import { NODE_VERSION } from '#computer/abi/versions.ts';
import type { NodeInstance } from './instance.ts';
import { STANDALONE } from './modules/repl/index.ts';
import type { ReplServer } from './modules/repl/server.ts';
import { ProcessExit } from './runtime/process.ts';

/** Number of lines stored in the history file. */
const KEPT_LINES = 1000;

/**
 * Runs `node` without a program: reads a statement, runs it in the global scope, prints the result, until Ctrl-D. The
 * environment sets it up by Node's variables.
 */
export function startRepl({ host, runtime }: NodeInstance): void {
	const { process, loop } = runtime;
	const { env, stdout } = process;
	stdout.write(`Welcome to Node.js ${NODE_VERSION}.\nType ".help" for more information.\n`);
	const repl = host.builtin('repl') as Record<PropertyKey, unknown>;
	const start = repl[STANDALONE] as (options: object) => ReplServer;
	const size = Number(env['NODE_REPL_HISTORY_SIZE']);
	const server = start({
		useGlobal: true,
		ignoreUndefined: false,
		breakEvalOnSigint: true,
		prompt: '> ',
		historySize: size > 0 ? size : KEPT_LINES,
		...(Number(env['NODE_NO_READLINE']) ? { terminal: false } : {}),
		...(Number(env['NODE_DISABLE_COLORS']) ? { useColors: false } : {}),
		replMode: /^strict$/i.test(env['NODE_REPL_MODE'] ?? '') ? repl['REPL_MODE_STRICT'] : repl['REPL_MODE_SLOPPY']
	});
	// Errors that no domain takes, such as those of promises, do not end the prompt.
	loop.onUncaught = (error) => {
		if (!(error instanceof ProcessExit)) server.fail(error);
	};
	if (server.terminal) server.setupHistory(env['NODE_REPL_HISTORY'], () => {});
	server.on('exit', () => process.exit());
}
