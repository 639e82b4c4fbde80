import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import {
	fromWireSnapshot,
	toWireSnapshot,
	type CallArgs,
	type CallName,
	type CallResult,
	type CommandArgs,
	type Facts,
	type Response
} from './messages.ts';
import { AskedPage } from './asked-page.ts';
import { egressOf } from './egress.ts';
import { OutputCredit } from './output-credit.ts';
import { serversOf, type ByteStream } from './servers.ts';

/** Concurrent connections to servers. */
const MAX_STREAMS = 256;

/** One call that is being served. */
export interface CallContext {
	id: number;
	environment: number;
	bytes: Uint8Array;
	/** Aborts when the page cancels the call. */
	signal: AbortSignal;
	send(message: Response, bytes?: Uint8Array): void;
	/** Resolves when the page is ready for more output; `undefined` if it is ready now. */
	ready(): Promise<void> | undefined;
}

export interface Answer<Value> {
	value?: Value;
	bytes?: Uint8Array | undefined;
}

interface Environments {
	environmentAt(at: number): contract.ExecutionEnvironment;
	addEnvironment(environment: contract.ExecutionEnvironment): number;
	removeEnvironment(at: number): void;
}

export interface Answers {
	answer(name: CallName, args: unknown, context: CallContext): Promise<Answer<unknown>>;
	/** Closes the connections to servers and refuses requests that wait for the page. */
	close(): void;
}

type Handlers = {
	[Name in CallName]: (args: CallArgs<Name>, context: CallContext) => Promise<Answer<CallResult<Name>>>;
};
type Handler = (args: unknown, context: CallContext) => Promise<Answer<unknown>>;

const encoder = new TextEncoder();
const DONE: Answer<null> = { value: null };

/** Performs calls on environments. */
export function createAnswers(environments: Environments): Answers {
	const streams = new Map<number, ByteStream>();
	const pages = new Map<number, { page: AskedPage; stop: () => void }>();
	const at = ({ environment }: CallContext): contract.ExecutionEnvironment => environments.environmentAt(environment);
	const handlers: Handlers = {
		...fileHandlers(at),
		...commandHandlers(at),
		...streamHandlers(at, streams),
		...egressHandlers(at, pages),
		...treeHandlers(at, environments)
	};
	return {
		answer: (name, args, context) => (handlers[name] as Handler)(args, context),
		close: () => {
			for (const stream of streams.values()) stream.close();
			streams.clear();
			for (const { page, stop } of pages.values()) {
				stop();
				page.close();
			}
			pages.clear();
		}
	};
}

type At = (context: CallContext) => contract.ExecutionEnvironment;

type FileCalls =
	| 'readFile'
	| 'readBytes'
	| 'writeFile'
	| 'fileExists'
	| 'stat'
	| 'listDirectory'
	| 'remove'
	| 'rename'
	| 'makeDirectory'
	| 'readLink'
	| 'symlink'
	| 'setMode'
	| 'load'
	| 'grep'
	| 'glob';

const fileHandlers = (at: At): Pick<Handlers, FileCalls> => ({
	readFile: async ({ path, range }, context) => ({ value: await at(context).readFile(path, range) }),
	readBytes: async ({ path }, context) => ({ value: null, bytes: await at(context).readBytes(path) }),
	writeFile: (args, context) => done(at(context).writeFile(args.path, context.bytes)),
	fileExists: async ({ path }, context) => ({ value: await at(context).fileExists(path) }),
	stat: async ({ path }, context) => ({ value: await at(context).stat(path) }),
	listDirectory: async ({ path, depth }, context) => ({ value: await at(context).listDirectory(path, depth) }),
	remove: ({ path, recursive }, context) => done(at(context).remove(path, { recursive })),
	rename: ({ path, to }, context) => done(at(context).rename(path, to)),
	makeDirectory: ({ path }, context) => done(at(context).makeDirectory(path)),
	readLink: async ({ path }, context) => ({ value: await at(context).readLink(path) }),
	symlink: ({ target, path }, context) => done(at(context).symlink(target, path)),
	setMode: ({ path, mode }, context) => done(at(context).setMode(path, mode)),
	load: ({ entries, root, restored }, context) =>
		done(at(context).load(entriesIn(entries, context.bytes), { root, restored })),
	grep: async ({ pattern, path, options }, context) => ({
		value: await at(context).grep(pattern, path, { ...options, signal: context.signal })
	}),
	glob: async ({ pattern, path }, context) => ({ value: await at(context).glob(pattern, path) })
});

type CommandCalls =
	| 'exec'
	| 'start'
	| 'runOnTrial'
	| 'openTerminal'
	| 'processWrite'
	| 'processCloseInput'
	| 'processKill'
	| 'terminalWrite'
	| 'terminalResize'
	| 'terminalTaken'
	| 'terminalClose'
	| 'trialRead'
	| 'trialApply'
	| 'trialDiscard';

function commandHandlers(at: At): Pick<Handlers, CommandCalls> {
	const processes = new Map<number, contract.Process>();
	const terminals = new Map<number, { terminal: contract.Terminal; credit: OutputCredit }>();
	const trials = new Map<number, contract.Trial>();
	return {
		exec: async (args, context) => {
			const environment = at(context);
			const value = await environment.exec(args.command, toOptions(args, context));
			// Lets the caller see servers that the command has started.
			if (!context.signal.aborted) await serversOf(environment)?.refresh();
			return { value };
		},
		start: async (args, context) => {
			const { id, send } = context;
			const running = await at(context).start(args.command, toOptions(args, context));
			processes.set(id, running);
			void running.exited.then((result) => send({ type: 'processExit', id, result }));
			return { value: { pid: running.pid } };
		},
		runOnTrial: async (args, context) => {
			const environment = at(context);
			if (!environment.runOnTrial) throw new EnvironmentError('EUNAVAILABLE', 'Nothing runs on trial here.');
			const trial = await environment.runOnTrial(args.command, {
				...toOptions(args, context),
				maxOutputCharacters: undefined
			});
			trials.set(context.id, trial);
			return { value: { result: trial.result, effects: trial.effects } };
		},
		openTerminal: async (size, context) => {
			const { id, send } = context;
			const terminal = await at(context).openTerminal(size);
			const credit = new OutputCredit();
			terminals.set(id, { terminal, credit });
			terminal.onData((data) => {
				send({ type: 'terminalData', id, data });
				return credit.sent(data.length);
			});
			void terminal.exited.then((exitCode) => {
				terminals.delete(id);
				send({ type: 'terminalExit', id, exitCode });
			});
			return DONE;
		},
		processWrite: ({ of }, { bytes }) => done(known(processes, of).write(bytes)),
		processCloseInput: ({ of }) => done(known(processes, of).closeInput()),
		processKill: ({ of, signal }) => done(known(processes, of).kill(signal)),
		terminalWrite: async ({ of, data }) => {
			terminals.get(of)?.terminal.write(data);
			return DONE;
		},
		terminalResize: async ({ of, size }) => {
			terminals.get(of)?.terminal.resize(size);
			return DONE;
		},
		terminalTaken: async ({ of, characters }) => {
			terminals.get(of)?.credit.taken(characters);
			return DONE;
		},
		terminalClose: ({ of }) => {
			terminals.get(of)?.credit.release();
			return done(terminals.get(of)?.terminal.close());
		},
		trialRead: async ({ of, path, side }) => {
			const bytes = await known(trials, of).read(path, side);
			return { value: { exists: bytes !== null }, bytes: bytes ?? undefined };
		},
		trialApply: async ({ of }) => {
			const trial = known(trials, of);
			trials.delete(of);
			return { value: await trial.apply() };
		},
		trialDiscard: async ({ of }) => {
			const trial = trials.get(of);
			trials.delete(of);
			await trial?.discard();
			return DONE;
		}
	};
}

type StreamCalls = 'connect' | 'streamRead' | 'streamWrite' | 'streamClose';

function streamHandlers(at: At, streams: Map<number, ByteStream>): Pick<Handlers, StreamCalls> {
	return {
		connect: async ({ port }, context) => {
			const servers = serversOf(at(context));
			if (!servers) throw new EnvironmentError('EUNAVAILABLE', 'Servers of this machine cannot be reached.');
			if (streams.size >= MAX_STREAMS) throw new EnvironmentError('EAGAIN', 'Too many connections are open.');
			streams.set(context.id, await servers.connect(port));
			return DONE;
		},
		streamRead: async ({ of }) => {
			const bytes = await known(streams, of).read();
			return { value: null, bytes };
		},
		streamWrite: ({ of }, { bytes }) => done(known(streams, of).write(bytes)),
		streamClose: async ({ of }) => {
			streams.get(of)?.close();
			streams.delete(of);
			return DONE;
		}
	};
}

type EgressCalls = 'egressServe' | 'egressAnswer' | 'egressRefuse';

/** @param pages requests forwarded to the page, by environment */
function egressHandlers(
	at: At,
	pages: Map<number, { page: AskedPage; stop: () => void }>
): Pick<Handlers, EgressCalls> {
	const pageOf = (environment: number): AskedPage => known(pages, environment).page;
	return {
		egressServe: async (_args, context) => {
			const { environment, send } = context;
			const egress = egressOf(at(context));
			if (!egress) throw new EnvironmentError('EUNAVAILABLE', 'The programs of this machine have no proxy.');
			if (pages.has(environment)) return DONE;
			const page = new AskedPage((id, { body, ...request }) => {
				send({ type: 'egress', id, environment, ...request }, body);
			});
			pages.set(environment, { page, stop: egress.serve(page.answer) });
			return DONE;
		},
		egressAnswer: async ({ of, ...answer }, { environment, bytes }) => {
			pageOf(environment).answered(of, { ...answer, body: bytes.slice() });
			return DONE;
		},
		egressRefuse: async ({ of, message }, { environment }) => {
			pageOf(environment).refused(of, message);
			return DONE;
		}
	};
}

type TreeCalls = Exclude<CallName, FileCalls | CommandCalls | StreamCalls | EgressCalls>;

function treeHandlers(at: At, environments: Environments): Pick<Handlers, TreeCalls> {
	const overlayAt = (context: CallContext): contract.OverlayEnvironment => {
		const environment = at(context);
		if (!isOverlay(environment)) throw new EnvironmentError('EINVAL', 'This environment is no overlay.');
		return environment;
	};
	return {
		initialize: async (_args, context) => {
			await at(context).initialize();
			return { value: factsOf(at(context)) };
		},
		cleanup: async (_args, context) => {
			await at(context).cleanup();
			environments.removeEnvironment(context.environment);
			return DONE;
		},
		snapshot: async (_args, context) => ({ value: toWireSnapshot(await at(context).snapshot()) }),
		restore: (snapshot, context) => done(at(context).restore(fromWireSnapshot(snapshot))),
		readBlob: async ({ blob }, context) => ({ value: null, bytes: await at(context).readBlob(blob) }),
		overlay: async ({ common }, context) => {
			const overlay = await at(context).overlay(common && fromWireSnapshot(common));
			await overlay.initialize();
			const environment = environments.addEnvironment(overlay);
			return { value: { environment, facts: factsOf(overlay), common: toWireSnapshot(overlay.common) } };
		},
		overlayChanges: async (_args, context) => ({ value: await overlayAt(context).changes() }),
		overlayConflicts: async (_args, context) => ({ value: await overlayAt(context).conflicts() }),
		overlayMerge: async (options, context) => {
			const overlay = overlayAt(context);
			return { value: { result: await overlay.merge(options), common: toWireSnapshot(overlay.common) } };
		},
		overlayDrop: async ({ paths }, context) => {
			const overlay = overlayAt(context);
			await overlay.drop(paths);
			return { value: { common: toWireSnapshot(overlay.common) } };
		}
	};
}

const isOverlay = (environment: contract.ExecutionEnvironment): environment is contract.OverlayEnvironment =>
	'merge' in environment && 'common' in environment;

const factsOf = (environment: contract.ExecutionEnvironment): Facts => ({
	workingDirectory: environment.workingDirectory(),
	platform: environment.platform(),
	osVersion: environment.osVersion(),
	description: environment.description,
	runsTrials: environment.runOnTrial !== undefined,
	hasServers: serversOf(environment) !== undefined,
	hasEgress: egressOf(environment) !== undefined
});

/** The page assembles the output from the stream, so none is stored here. */
function toOptions(args: CommandArgs, context: CallContext): contract.ExecOptions {
	const { cwd, env, timeoutMs, rights, takesTemporaryFiles, hasInput } = args;
	return {
		cwd,
		env,
		timeoutMs,
		rights,
		takesTemporaryFiles,
		stdin: hasInput ? context.bytes : undefined,
		signal: context.signal,
		maxOutputCharacters: 0,
		onOutput: ({ stream, data }) => {
			context.send({ type: 'output', id: context.id, stream }, encoder.encode(data));
			return context.ready();
		}
	};
}

async function* entriesIn(
	entries: readonly { path: string; mode: number; size: number }[],
	bytes: Uint8Array
): AsyncGenerator<contract.LoadEntry> {
	let at = 0;
	for (const { path, mode, size } of entries) {
		if (at + size > bytes.length) throw new EnvironmentError('EINVAL', 'The sizes of the files are wrong.', path);
		yield { path, mode, bytes: bytes.subarray(at, at + size) };
		at += size;
	}
}

function known<Value>(all: ReadonlyMap<number, Value>, id: number): Value {
	const found = all.get(id);
	if (found === undefined) throw new EnvironmentError('ESRCH', 'This process, trial or connection is unknown here.');
	return found;
}

async function done(work: Promise<void> | undefined): Promise<Answer<null>> {
	await work;
	return DONE;
}
