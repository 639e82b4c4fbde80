import type { WireResponse } from '../process/syscalls.ts';
import type { BootMessage, Question, ToPage } from '../protocol.ts';
import { errno } from './errno.ts';
import { cloneVolume } from './files/clone.ts';
import { createVolume } from './files/first-files.ts';
import { Machine } from './machine.ts';
import { once, type Outside } from './outside.ts';
import { Questions } from './page/questions.ts';
import { PageServer } from './page/page-server.ts';
import { WorkerPool } from './processes/worker-pool.ts';

/** The kernel worker. It owns the files and the processes, and runs no user code. */

addEventListener(
	'message',
	(event: MessageEvent<BootMessage>) => {
		if (event.data.type === 'boot') boot(event.data);
	},
	{ once: true }
);

function boot({ scheme, programs, memory = 'shared', port }: BootMessage): void {
	const questions = new Questions((message: ToPage) => port.postMessage(message));
	const ask = async <Value>(question: Question, isWanted: (answer: unknown) => answer is Value): Promise<Value> => {
		const answer: unknown = await questions.ask(question);
		if (!isWanted(answer)) throw errno('EIO', undefined, `the page answered ${question.kind} with something else`);
		return answer;
	};
	const asset = once((name) => ask({ kind: 'asset', name }, isBytes));
	const outside: Outside = {
		fetch: (request) => ask({ kind: 'fetch', request }, isResponse),
		asset,
		module: once(async (name) => WebAssembly.compile((await asset(name)).slice()))
	};
	const hot = programs.filter((program) => program.hot).map(({ name }) => name);
	const pool = new WorkerPool(scheme, hot, (name) => ask({ kind: 'program', name }, isText));
	const commands = new Map(programs.flatMap(({ name, commands }) => commands.map((command) => [command, name])));

	const serve = (machine: Machine, on: MessagePort, asked: Questions | null, closed: () => void): void => {
		const overlay = (): MessagePort => {
			const channel = new MessageChannel();
			const copy = new Machine(cloneVolume(machine.volume), commands, pool, outside, memory);
			serve(copy, channel.port1, null, () => {});
			return channel.port2;
		};
		new PageServer(machine, on, asked, overlay, closed);
	};
	serve(new Machine(createVolume([...commands.keys()]), commands, pool, outside, memory), port, questions, () =>
		pool.close()
	);
	for (const name of hot) void pool.warm(name);
}

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array;
const isResponse = (value: unknown): value is WireResponse =>
	typeof value === 'object' && value !== null && 'status' in value;
const isText = (value: unknown): value is string => typeof value === 'string';
