import { z } from 'zod';
import type * as contract from '../contract.ts';
import { EnvironmentError, type ErrorCode } from '../errors.ts';
import { toEnvironmentError } from '../node-errors.ts';

const CODES = [
	'ENOENT',
	'EISDIR',
	'ENOTDIR',
	'EEXIST',
	'ENOTEMPTY',
	'EACCES',
	'EINVAL',
	'ELOOP',
	'ENOSPC',
	'EFBIG',
	'EAGAIN',
	'EPIPE',
	'ESRCH',
	'EIO',
	'EBADF',
	'EPERM',
	'EXDEV',
	'ECLOSED',
	'EUNAVAILABLE',
	'ENOTSUP',
	'ECONNREFUSED'
] as const satisfies readonly ErrorCode[];

const path = z.string().max(100_000);
const id = z.int().positive();
const count = z.int().nonnegative();
const port = z.int().min(1).max(65_535);
const blob = z.string().regex(/^(?:[0-9a-f]{40})?$/, 'must be the id of a blob');
const nothing = z.null();
const kind = z.enum(['file', 'directory', 'symlink']);
const rights = z.object({
	write: z.union([z.literal('all'), z.array(path)]),
	network: z.union([z.literal('all'), z.array(z.string())]),
	signal: z.enum(['all', 'own'])
});
const size = z.object({ columns: z.int().min(1).max(10_000), rows: z.int().min(1).max(10_000) });
const stat = z.object({ kind, size: count, mode: count, modifiedMs: z.number() });
const snapshot = z.object({ id: z.string().max(200), entries: z.array(z.tuple([path, count, blob])) });
const result = z.object({
	stdout: z.string(),
	stderr: z.string(),
	exitCode: z.int(),
	timedOut: z.boolean(),
	durationMs: z.number()
});
const command = z.object({
	command: z.string(),
	cwd: path.optional(),
	env: z.record(z.string(), z.string()).optional(),
	timeoutMs: z.number().nonnegative().optional(),
	rights: rights.optional(),
	takesTemporaryFiles: z.boolean().optional(),
	/** True if the bytes of the message are its standard input. */
	hasInput: z.boolean()
});
const overlayChange = z.object({ path, kind: z.enum(['added', 'modified', 'removed']) });
const merge = z.object({ merged: z.array(overlayChange), conflicts: z.array(overlayChange) });
const grepOptions = z.object({
	caseInsensitive: z.boolean().optional(),
	literal: z.boolean().optional(),
	globs: z.array(z.string()).optional(),
	type: z.string().optional(),
	output: z.enum(['content', 'files', 'count']).optional(),
	before: count.optional(),
	after: count.optional(),
	lineNumbers: z.boolean().optional(),
	onlyMatching: z.boolean().optional(),
	multiline: z.boolean().optional(),
	maxLines: count.optional()
});
const facts = z.object({
	workingDirectory: z.string().startsWith('/').max(10_000),
	platform: z.enum(['wasm', 'linux', 'darwin', 'windows']),
	osVersion: z.string().max(1_000),
	description: z.string().max(20_000).optional(),
	runsTrials: z.boolean(),
	/** True if its servers can be reached. */
	hasServers: z.boolean().default(false),
	/** True if its programs have a proxy whose requests the page answers. */
	hasEgress: z.boolean().default(false)
});
const effects = z.object({
	files: z.array(overlayChange),
	hosts: z.array(z.string()),
	servers: z.array(count),
	signals: z.array(z.object({ pid: z.int(), signal: z.string(), command: z.string() })),
	leftRunning: z.array(z.string()),
	unnamed: z.boolean()
});

const headers = z
	.array(
		z.tuple([
			z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/),
			z
				.string()
				.max(64_000)
				.regex(/^[\t\x20-\x7e\x80-\xff]*$/)
		])
	)
	.max(500);

/** Arguments and results of each call. Bytes travel separately with both. */
export const CALLS = {
	initialize: { args: z.object({}), result: facts },
	cleanup: { args: z.object({}), result: nothing },
	readFile: {
		args: z.object({ path, range: z.object({ offset: z.int().optional(), limit: z.int().optional() }).optional() }),
		result: z.string()
	},
	readBytes: { args: z.object({ path }), result: nothing },
	writeFile: { args: z.object({ path }), result: nothing },
	fileExists: { args: z.object({ path }), result: z.boolean() },
	stat: { args: z.object({ path }), result: stat },
	listDirectory: { args: z.object({ path, depth: count }), result: z.array(stat.extend({ path })) },
	remove: { args: z.object({ path, recursive: z.boolean() }), result: nothing },
	rename: { args: z.object({ path, to: path }), result: nothing },
	makeDirectory: { args: z.object({ path }), result: nothing },
	readLink: { args: z.object({ path }), result: z.string() },
	symlink: { args: z.object({ path, target: z.string() }), result: nothing },
	setMode: { args: z.object({ path, mode: count }), result: nothing },
	load: {
		args: z.object({
			root: path.optional(),
			restored: z.boolean().optional(),
			/** The bytes of the message are their contents, concatenated. */
			entries: z.array(z.object({ path: z.string(), mode: count, size: count }))
		}),
		result: nothing
	},
	exec: { args: command, result },
	start: { args: command, result: z.object({ pid: z.int() }) },
	runOnTrial: { args: command, result: z.object({ result, effects }) },
	openTerminal: { args: size, result: nothing },
	grep: { args: z.object({ pattern: z.string(), path, options: grepOptions }), result: z.string() },
	glob: { args: z.object({ pattern: z.string(), path }), result: z.array(z.string()) },
	snapshot: { args: z.object({}), result: snapshot },
	restore: { args: snapshot, result: nothing },
	readBlob: { args: z.object({ blob }), result: nothing },
	overlay: {
		args: z.object({ common: snapshot.optional() }),
		result: z.object({ environment: id, facts, common: snapshot })
	},
	overlayChanges: { args: z.object({}), result: z.array(overlayChange) },
	overlayConflicts: { args: z.object({}), result: z.array(overlayChange) },
	overlayMerge: {
		args: z.object({ paths: z.array(path).optional(), overwrite: z.boolean().optional() }),
		result: z.object({ result: merge, common: snapshot })
	},
	overlayDrop: { args: z.object({ paths: z.array(path) }), result: z.object({ common: snapshot }) },
	/** `of` is the id of the call that started the process, the terminal or the trial. */
	processWrite: { args: z.object({ of: id }), result: nothing },
	processCloseInput: { args: z.object({ of: id }), result: nothing },
	processKill: {
		args: z.object({ of: id, signal: z.enum(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP']).optional() }),
		result: nothing
	},
	terminalWrite: { args: z.object({ of: id, data: z.string() }), result: nothing },
	terminalResize: { args: z.object({ of: id, size }), result: nothing },
	/** Reports how many more characters the page has displayed. */
	terminalTaken: { args: z.object({ of: id, characters: count }), result: nothing },
	terminalClose: { args: z.object({ of: id }), result: nothing },
	/** Connects to a server; in the calls below, `of` is this call's id. */
	connect: { args: z.object({ port }), result: nothing },
	/** Answers with the next bytes; none at the end. */
	streamRead: { args: z.object({ of: id }), result: nothing },
	streamWrite: { args: z.object({ of: id }), result: nothing },
	streamClose: { args: z.object({ of: id }), result: nothing },
	/** The page answers requests of the machine's programs from now on. */
	egressServe: { args: z.object({}), result: nothing },
	/** Answers a request; the bytes of the message are the body. */
	egressAnswer: {
		args: z.object({
			of: id,
			status: z.int().min(200).max(599),
			statusText: z
				.string()
				.max(1_000)
				.regex(/^[\t\x20-\x7e]*$/),
			headers
		}),
		result: nothing
	},
	egressRefuse: { args: z.object({ of: id, message: z.string().max(2_000) }), result: nothing },
	trialRead: {
		args: z.object({ of: id, path, side: z.enum(['before', 'after']) }),
		result: z.object({ exists: z.boolean() })
	},
	trialApply: { args: z.object({ of: id }), result: merge },
	trialDiscard: { args: z.object({ of: id }), result: nothing }
} as const;

export type CallName = keyof typeof CALLS;
export type CallArgs<Name extends CallName> = z.output<(typeof CALLS)[Name]['args']>;
export type CallResult<Name extends CallName> = z.output<(typeof CALLS)[Name]['result']>;

export type Facts = z.output<typeof facts>;
export type CommandArgs = z.output<typeof command>;

const names = Object.keys(CALLS) as [CallName, ...CallName[]];

/** Messages to the machine. */
export const request = z.discriminatedUnion('type', [
	z.object({ type: z.literal('call'), id, environment: count, name: z.enum(names), args: z.unknown() }),
	z.object({ type: z.literal('cancel'), id })
]);
export type Request = z.output<typeof request>;

const failure = z.object({ code: z.enum(CODES).catch('EIO'), message: z.string(), path: z.string().optional() });

/** Messages from the machine. */
export const response = z.discriminatedUnion('type', [
	z.object({ type: z.literal('result'), id, value: z.unknown() }),
	z.object({ type: z.literal('failure'), id, error: failure }),
	/** The bytes of the message are the text. */
	z.object({ type: z.literal('output'), id, stream: z.enum(['stdout', 'stderr']) }),
	z.object({ type: z.literal('processExit'), id, result }),
	z.object({ type: z.literal('terminalData'), id, data: z.string() }),
	z.object({ type: z.literal('terminalExit'), id, exitCode: z.int() }),
	/** A program's network request; the bytes of the message are the body. */
	z.object({
		type: z.literal('egress'),
		id,
		environment: count,
		method: z.string().regex(/^[A-Z]{1,20}$/),
		url: z
			.string()
			.max(64_000)
			.regex(/^https?:\/\//i),
		headers
	}),
	z.object({
		type: z.literal('ports'),
		environment: count,
		ports: z.array(z.object({ port, pid: count, command: z.string().max(1_000) })).max(1_000)
	}),
	z.object({
		type: z.literal('change'),
		environment: count,
		change: z.object({
			seq: id,
			path: z.string().startsWith('/'),
			kind: z.enum(['write', 'remove', 'rename', 'mode', 'symlink', 'mkdir']),
			mode: count,
			to: z.string().startsWith('/').optional()
		}),
		/** True if the bytes of the message are its content. */
		hasBytes: z.boolean()
	})
]);
export type Response = z.output<typeof response>;

export const toWireSnapshot = ({ id: name, entries }: contract.Snapshot): z.output<typeof snapshot> => ({
	id: name,
	entries: [...entries].map(([place, { mode, blob: content }]) => [place, mode, content])
});

export const fromWireSnapshot = ({ id: name, entries }: z.output<typeof snapshot>): contract.Snapshot => ({
	id: name,
	entries: new Map(entries.map(([place, mode, content]) => [place, { mode, blob: content }]))
});

export const toWireError = (error: unknown): z.output<typeof failure> => {
	const { code, message, path: place } = toEnvironmentError(error);
	return { code, message, path: place };
};

export const fromWireError = ({ code, message, path: place }: z.output<typeof failure>): EnvironmentError =>
	new EnvironmentError(code, message, place);
