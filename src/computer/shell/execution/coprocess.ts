import type { CommandOf } from '../ast/nodes.ts';
import { printCommand } from '../ast/print.ts';
import type { Shell } from '../state/shell.ts';
import { memoryPipe } from '../streams/memory-pipe.ts';
import { OpenFile } from '../streams/open-file.ts';
import { startWork } from './background.ts';
import { runCommand } from './command.ts';

/** First descriptor of coprocesses; bash counts down from here. */
const FIRST_DESCRIPTOR = 63;

/** `coproc`: a job whose input and output the shell holds, as `NAME[1]` and `NAME[0]`. */
export async function runCoprocess(shell: Shell, command: CommandOf<'Coprocess'>): Promise<number> {
	const [input, output] = [memoryPipe(), memoryPipe()];
	let number = FIRST_DESCRIPTOR;
	while (shell.descriptors.get(number)) number--;
	const job = await startWork(shell, printCommand(command), (inner) => {
		inner.descriptors.set(0, new OpenFile(input.reader));
		inner.descriptors.set(1, new OpenFile(output.writer));
		return runCommand(inner, command.body);
	});
	shell.descriptors.set(number, new OpenFile(output.reader));
	shell.descriptors.set(number - 1 - 2, new OpenFile(input.writer));
	shell.variables.declare(command.name, {
		value: undefined,
		indexed: new Map([
			[0, String(number)],
			[1, String(number - 3)]
		])
	});
	shell.variables.set(`${command.name}_PID`, String(job.pid));
	shell.lastBackground = job.pid;
	return 0;
}
