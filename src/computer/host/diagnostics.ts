import type { ExecOptions, Process } from '#environment/contract.ts';
import { LineSplitter, type StartLineProcess } from '#environment/diagnostics/line-process.ts';

/** Starts a program of the sandbox that receives requests on its standard input. */
export function startInSandbox(
	argv: string[],
	start: (argv: string[], options: ExecOptions) => Promise<Process>
): StartLineProcess {
	return async ({ onLine, onEnd }) => {
		const lines = new LineSplitter(onLine);
		const process = await start(argv, {
			onOutput: ({ stream, data }) => {
				if (stream === 'stdout') lines.add(data);
			}
		});
		void process.exited.then(onEnd);
		return {
			send: (line) =>
				void process.write(`${line}\n`).catch(() => {
					// The end of the process reports the failure.
				}),
			kill: () => void process.kill('SIGKILL')
		};
	};
}
