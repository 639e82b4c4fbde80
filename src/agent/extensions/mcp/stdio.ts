import { connectOver, type McpConnection } from './connect.ts';
import { loadMcpSdk } from './sdk.ts';

/** A local program that serves the Model Context Protocol on its standard streams. */
export interface McpProgramOptions {
	/** Letters, digits, `_` and `-`: its tools are called `name__tool`. */
	name: string;
	/** Program to start, e.g. `npx`. */
	command: string;
	args?: readonly string[];
	/** Variables in addition to a few harmless ones such as PATH and HOME: keys are not inherited. */
	env?: Readonly<Record<string, string>>;
	/** Working directory; that of this process if absent. */
	cwd?: string;
	/** Timeout for starting and for each call, in ms. Default 60,000. */
	timeoutMs?: number;
}

/**
 * Starts a server and reads its tools. For Node. `close()` of the connection ends the program. The program runs with
 * all rights of this process's user: start only trusted programs.
 *
 * @throws McpError if the name is invalid, or the program does not start or does not speak the protocol
 */
export function startMcpServer(options: McpProgramOptions): Promise<McpConnection> {
	const { name, command, args = [], env, cwd, timeoutMs } = options;
	return connectOver({
		name,
		// Not a URL: a permission rule for it must not match a host.
		address: `stdio ${name}`,
		advice: `Check that \`${[command, ...args].join(' ')}\` starts a server, and which variables it needs.`,
		timeoutMs,
		async transport() {
			const { getDefaultEnvironment, StdioClientTransport } = await loadMcpSdk(
				() => import('@modelcontextprotocol/sdk/client/stdio.js')
			);
			return new StdioClientTransport({
				command,
				args: [...args],
				env: { ...getDefaultEnvironment(), ...env },
				stderr: 'inherit',
				...(cwd === undefined ? {} : { cwd })
			});
		}
	});
}
