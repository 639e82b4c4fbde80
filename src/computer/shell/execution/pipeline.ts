import type { Command, Pipeline } from '../ast/nodes.ts';
import type { Shell } from '../state/shell.ts';
import { kernelEnd } from '../streams/kernel-streams.ts';
import { memoryPipe } from '../streams/memory-pipe.ts';
import { OpenFile } from '../streams/open-file.ts';
import { runCommand } from './command.ts';
import { awaitRoom } from './fork.ts';
import { findCommand } from './lookup.ts';
import { runToEnd } from './subshell.ts';
import { reportTime } from './time-report.ts';
import { runTrap } from './traps.ts';
import { printCommand } from '../ast/print.ts';

/** Runs the stages of a pipeline concurrently. Returns its status; sets `PIPESTATUS`. */
export async function runPipeline(shell: Shell, pipeline: Pipeline): Promise<number> {
	const started = performance.now();
	const [only] = pipeline.commands;
	let status: number;
	if (!only) status = 0;
	else if (pipeline.commands.length === 1) {
		status = await runCommand(shell, only);
		if (only.type === 'SimpleCommand') shell.pipeStatus = [status];
	} else {
		const statuses = await runStages(shell, pipeline);
		shell.pipeStatus = statuses;
		shell.line = pipeline.commands.at(-1)?.line || shell.line;
		if (!shell.interactive) shell.jobs.forgetEnded();
		status = statuses.at(-1) ?? 0;
		if (shell.options.pipefail) status = statuses.findLast((one) => one !== 0) ?? 0;
	}
	if (pipeline.timed) await reportTime(shell, performance.now() - started, pipeline);
	if (pipeline.negated) return status === 0 ? 1 : 0;
	return status;
}

async function runStages(shell: Shell, pipeline: Pipeline): Promise<number[]> {
	const { commands } = pipeline;
	if (shell.traps.has('DEBUG')) await beforeStages(shell, commands);
	await awaitRoom(shell, commands.length);
	const inners = commands.map(() => shell.fork());
	for (let index = 0; index + 1 < commands.length; index++) {
		const [before, after] = [inners[index], inners[index + 1]];
		const [from, to] = [commands[index], commands[index + 1]];
		if (!before || !after || !from || !to) continue;
		const { reader, writer } = connect(shell, from, to);
		before.descriptors.set(1, writer);
		after.descriptors.set(0, reader);
	}
	const lastHere = shell.shopt.has('lastpipe');
	const running = inners.map(async (inner, index) => {
		const command = commands[index];
		if (!command) return 0;
		try {
			if (lastHere && index === commands.length - 1) return await runLastHere(shell, inner, command);
			return await runToEnd(inner, () => runCommand(inner, command));
		} finally {
			inner.dispose();
		}
	});
	const results = await Promise.allSettled(running);
	return results.map((result) => {
		if (result.status === 'rejected') throw result.reason;
		return result.value;
	});
}

/** Runs the DEBUG trap in the shell itself for each stage that is a simple command. */
async function beforeStages(shell: Shell, commands: readonly Command[]): Promise<void> {
	for (const command of commands) {
		if (command.type !== 'SimpleCommand') continue;
		shell.line = command.line;
		if (!shell.inTrap) shell.command = printCommand(command);
		await runTrap(shell, 'DEBUG');
	}
}

/** `shopt -s lastpipe`: runs the last stage in the shell itself. */
async function runLastHere(shell: Shell, inner: Shell, command: Command): Promise<number> {
	const before = shell.descriptors;
	shell.descriptors = inner.descriptors;
	try {
		return await runCommand(shell, command);
	} finally {
		shell.descriptors = before;
	}
}

/** Two adjacent programs are connected through the kernel; everything else through the shell's memory. */
function connect(shell: Shell, from: Command, to: Command): { reader: OpenFile; writer: OpenFile } {
	if (isProgram(shell, from) && isProgram(shell, to)) {
		const ends = shell.host.context.sync.pipe();
		const { async } = shell.host.context;
		return { reader: new OpenFile(kernelEnd(async, ends.reader)), writer: new OpenFile(kernelEnd(async, ends.writer)) };
	}
	const { reader, writer } = memoryPipe();
	return { reader: new OpenFile(reader), writer: new OpenFile(writer) };
}

function isProgram(shell: Shell, command: Command): boolean {
	if (command.type !== 'SimpleCommand') return false;
	const [part] = command.name?.parts ?? [];
	if (command.name?.parts.length !== 1 || part?.type !== 'Literal') return false;
	return findCommand(shell, part.value).kind === 'program';
}
