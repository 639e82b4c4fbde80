import { gunzip } from '#environment/archive/gunzip.ts';
import { loadSha1 } from '#environment/sha1.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';
import type { Prepared } from '#computer/abi/wire.ts';
import type { BootMessage, Question, ToPage } from '#computer/abi/protocol.ts';
import { Doorbell } from './calls/doorbell.ts';
import { errno } from '#computer/abi/errno.ts';
import { VolumeClone } from '#computer/volume/clone.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { KernelComputer } from './kernel-computer.ts';
import { once, type Outside } from './outside.ts';
import { Questions } from './port/questions.ts';
import { PageServer } from './port/page-server.ts';
import { WorkerPool } from './processes/worker-pool.ts';
import { startWitness } from './witness.ts';

/** The kernel worker. It owns the files and the processes, and runs no user code. */

/** Interval at which the remaining programs are prepared. */
const LATER_MS = 1_200;
const WARM_MS = 300;

addEventListener(
	'message',
	(event: MessageEvent<BootMessage>) => {
		if (event.data.type === 'boot') boot(event.data);
	},
	{ once: true }
);

function boot({ scheme, programs, memory = 'shared', volumeBytes, port, witness }: BootMessage): void {
	void loadSha1();
	// A worker that the frame starts for the kernel would not end with it, and so could not serve as witness.
	if (witness && scheme !== 'frame') startWitness(scheme, witness);
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
		preview: (request) => ask({ kind: 'preview', request }, isText),
		module: once(async (name) => WebAssembly.compile((await asset(name)).slice()))
	};
	const unpacked = once(async (name) => gunzip(await ask({ kind: 'asset', name }, isBytes)));
	const hot = programs.filter(({ hot }) => hot === true || hot === 'after use').map(({ name }) => name);
	const preparations = new Map(programs.flatMap(({ name, prepare }) => (prepare ? [[name, prepare]] : [])));
	const prepare = async (name: string): Promise<Prepared | null> => {
		const wanted = preparations.get(name);
		if (!wanted) return null;
		const [modules, files] = await Promise.all([
			Promise.all(wanted.modules.map(async (asset) => [asset, await outside.module(asset)] as const)),
			Promise.all(wanted.files.map(async (file) => [file, await unpacked(file)] as const))
		]);
		return { modules: Object.fromEntries(modules), files: Object.fromEntries(files) };
	};
	const pool = new WorkerPool(
		scheme,
		hot,
		(name) => ask({ kind: 'program', name }, isText),
		[...preparations.keys()],
		new Set(programs.filter((program) => program.reusable).map(({ name }) => name)),
		prepare
	);
	const doorbell = memory === 'shared' ? new Doorbell() : null;
	const commands = new Map(programs.flatMap(({ name, commands }) => commands.map((command) => [command, name])));

	const serve = (computer: KernelComputer, on: MessagePort, asked: Questions | null, closed: () => void): void => {
		const overlay = (): MessagePort => {
			const channel = new MessageChannel();
			const copied = new VolumeClone(computer.volume);
			const copy = new KernelComputer(copied, commands, pool, outside, doorbell);
			serve(copy, channel.port1, null, () => copied.release());
			return channel.port2;
		};
		new PageServer(computer, on, asked, overlay, closed);
	};
	const volume = createVolume([...commands.keys()]);
	if (volumeBytes !== undefined) volume.limit = volumeBytes;
	serve(new KernelComputer(volume, commands, pool, outside, doorbell), port, questions, () => pool.close());
	// The first one is needed first; the others would slow it down.
	const [first, ...others] = programs.filter((program) => program.hot === true);
	if (first) void pool.warm(first.name);
	for (const { name, hot } of programs) if (hot === 'at start') void pool.warm(name);
	for (const [index, { name }] of others.entries()) setTimeout(() => void pool.warm(name), LATER_MS + index * WARM_MS);
}

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array;
const isResponse = (value: unknown): value is WireResponse =>
	typeof value === 'object' && value !== null && 'status' in value;
const isText = (value: unknown): value is string => typeof value === 'string';
