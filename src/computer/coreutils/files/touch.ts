import { reason } from '#computer/shell/execution/redirections.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { readDate } from '../time/read-date.ts';
import { zoneOf, type Zone } from '#computer/local-time/zone.ts';
import { lstatOrNull } from './same-file.ts';

/** `touch`. */
export const touch = utility(
	'a c|no-create d|date= f h|no-dereference m r|reference= t= time=',
	async (call, options) => {
		const word = options.get('time');
		if (word !== undefined && !isAccess(word) && !isModification(word))
			throw new UsageError(`invalid argument ${quoted(word)} for '--time'\n${VALID}`, true);
		const [stamp] = options.operands;
		const isOld = isObsolescent(call, options);
		const operands = isOld ? options.operands.slice(1) : options.operands;
		const old = isOld ? readOldStamp(call, stamp ?? '') : null;
		const times = old === null ? timesOf(call, options) : both(old);
		if (typeof times === 'string') {
			await call.complain(times);
			return 1;
		}
		if (options.operands.length === 0) throw new UsageError('missing file operand');
		let status = 0;
		for (const name of operands) {
			// File of standard output, if it is one.
			const output = call.shell.descriptors.get(1)?.stream;
			const file = name !== '-' ? name : output instanceof FileStream ? output.path : null;
			const problem = file === null ? null : touchOne(call, options, file, times);
			if (problem === null) continue;
			await call.complain(problem);
			status = 1;
		}
		return status;
	}
);

const isAccess = (word: string | undefined) =>
	word !== undefined && ['atime', 'access', 'use'].some((name) => name.startsWith(word));
const isModification = (word: string | undefined) =>
	word !== undefined && ['mtime', 'modify'].some((name) => name.startsWith(word));
const VALID = "Valid arguments are:\n  - 'atime', 'access', 'use'\n  - 'mtime', 'modify'";

type Times = Pick<WireStat, 'accessedMs' | 'modifiedMs'>;

const both = (ms: number): Times => ({ accessedMs: ms, modifiedMs: ms });

/** Times to set, or an error message. @throws UsageError */
function timesOf(call: Call, options: Options): Times | string {
	const [text, reference, stamp] = [options.get('d'), options.get('r'), options.get('t')];
	if (stamp !== undefined && (text !== undefined || reference !== undefined))
		throw new UsageError('cannot specify times from more than one source', true);
	const zone = zoneOf(call.shell.variables.exported('TZ'));
	let times = both(Date.now());
	if (reference !== undefined) {
		const { sync } = call.shell.host.context;
		try {
			const path = call.shell.path(reference);
			const isLink = options.has('h') && !reference.endsWith('/');
			times = isLink ? sync.lstat(path) : sync.stat(path);
		} catch (error) {
			return `failed to get attributes of ${quoted(reference)}: ${reason(error)}`;
		}
	}
	if (stamp !== undefined) {
		const ms = readStamp(stamp, times.modifiedMs, zone);
		return ms === null ? `invalid date format ${quoted(stamp)}` : both(ms);
	}
	if (text === undefined) return times;
	const [accessedMs, modifiedMs] = [times.accessedMs, times.modifiedMs].map((ms) => readDate(text, ms, zone));
	if (typeof accessedMs !== 'number' || typeof modifiedMs !== 'number') return `invalid date format ${quoted(text)}`;
	return { accessedMs, modifiedMs };
}

/** Parses `[[CC]YY]MMDDhhmm[.ss]`. */
function readStamp(text: string, nowMs: number, zone: Zone): number | null {
	const [, century, years, month = '', day = '', hour = '', minute = '', second = '00'] =
		/^(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text) ?? [];
	if (month === '') return null;
	const thisYear = new Date(nowMs).getUTCFullYear();
	const year =
		years === undefined
			? thisYear
			: century === undefined
				? Number(years) + (Number(years) < 69 ? 2000 : 1900)
				: Number(century + years);
	// A leap second counts as the first second of the next minute.
	const isLeap = second === '60';
	const date = `${String(year).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${isLeap ? '59' : second}`;
	const isPossible = new Date(Date.UTC(year, Number(month) - 1, Number(day))).getUTCDate() === Number(day);
	const timeMs = isPossible && Number(month) > 0 && Number(month) < 13 ? readDate(date, nowMs, zone) : null;
	return timeMs === null ? null : timeMs + (isLeap ? 1000 : 0);
}

/** Returns whether the first operand is a time, as allowed by POSIX until 2001. */
function isObsolescent(call: Call, options: Options): boolean {
	const version = call.shell.variables.exported('_POSIX2_VERSION');
	if (version === undefined || Number(version) >= 200_112 || options.has('d', 'r', 't')) return false;
	const [stamp = '', name] = options.operands;
	return name !== undefined && readOldStamp(call, stamp) !== null;
}

/** Parses `MMDDhhmm[YY]`, in the current year or one until 1999. */
function readOldStamp(call: Call, text: string): number | null {
	const [, stamp = '', year] = /^(\d{8})(\d\d)?$/.exec(text) ?? [];
	if (stamp === '' || (year !== undefined && Number(year) < 69)) return null;
	return readStamp(`${year ?? ''}${stamp}`, Date.now(), zoneOf(call.shell.variables.exported('TZ')));
}

/** `stat` through links; null for a dangling link. @throws SyscallError ELOOP */
function followed(sync: SyncSyscalls, path: string): WireStat | null {
	try {
		return sync.stat(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ELOOP') throw error;
		return null;
	}
}

/** Returns the error, or null. */
function touchOne({ shell }: Call, options: Options, name: string, times: Times): string | null {
	const { sync } = shell.host.context;
	const path = shell.path(name);
	const link = lstatOrNull(sync, path);
	const word = options.get('time');
	const [isAccessed, isModified] = [options.has('a') || isAccess(word), options.has('m') || isModification(word)];
	const set = (before: WireStat, follow: boolean) => {
		const accessedMs = isModified && !isAccessed ? before.accessedMs : times.accessedMs;
		const modifiedMs = isAccessed && !isModified ? before.modifiedMs : times.modifiedMs;
		sync.utimes(path, accessedMs, modifiedMs, follow);
	};
	try {
		if (options.has('h') && link?.kind === 'symlink' && !name.endsWith('/')) {
			set(link, false);
			return null;
		}
		const there = link?.kind === 'symlink' && !sync.statOrNull(path) ? followed(sync, path) : sync.statOrNull(path);
		if (name.endsWith('/') && there?.kind !== 'directory') {
			if (options.has('c') && !there) return null;
			return `setting times of ${quoted(name)}: ${there ? 'Not a directory' : 'No such file or directory'}`;
		}
		if (name === '') return options.has('c') ? null : `cannot touch '': No such file or directory`;
		if (!there && options.has('c', 'h')) {
			if (options.has('c')) return null;
			return `setting times of ${quoted(name)}: No such file or directory`;
		}
		if (!there) sync.writeFile(path, new Uint8Array(), { mode: 0o666 & ~shell.umask });
		set(there ?? sync.stat(path), true);
		return null;
	} catch (error) {
		const what = isDirectoryAt(sync, path) ? 'setting times of' : 'cannot touch';
		return `${what} ${quoted(name)}: ${reason(error)}`;
	}
}

const isDirectoryAt = (sync: SyncSyscalls, path: string): boolean => sync.statOrNull(path)?.kind === 'directory';
