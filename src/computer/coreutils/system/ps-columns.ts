import type { ProcessInfo } from '#computer/abi/syscalls.ts';
import { lineOf, nameOf } from './process-list.ts';

/** A column of `ps`. */
export interface Column {
	title: string;
	/** Minimum width; the last column has none. */
	width: number;
	/** Set for text, which is aligned left. */
	isText?: boolean;
	value(process: ProcessInfo): string;
}

const SECOND = 1000;
const USER = 'user';
const USER_ID = '1000';

const pad = (value: number) => String(value).padStart(2, '0');

/** Seconds since a process was started. */
const ageOf = ({ startedMs }: ProcessInfo): number => Math.max(0, Math.floor((Date.now() - startedMs) / SECOND));

/** `[[days-]hours:]minutes:seconds`. */
function elapsed(process: ProcessInfo): string {
	const age = ageOf(process);
	const [days, hours, minutes] = [Math.floor(age / 86_400), Math.floor(age / 3600) % 24, Math.floor(age / 60) % 60];
	const withDays = days > 0 ? `${days}-` : '';
	return `${withDays}${days > 0 || hours > 0 ? `${pad(hours)}:` : ''}${pad(minutes)}:${pad(age % 60)}`;
}

function timeOf(date: Date, hasSeconds: boolean): string {
	return `${pad(date.getHours())}:${pad(date.getMinutes())}${hasSeconds ? `:${pad(date.getSeconds())}` : ''}`;
}

/** `Sun Nov 29 21:25:01 2026`. */
function dateOfStart({ startedMs }: ProcessInfo): string {
	const date = new Date(startedMs);
	const [weekday, month, day = ''] = date.toDateString().split(' ');
	return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${timeOf(date, true)} ${date.getFullYear()}`;
}

const stateOf = ({ isStopped }: ProcessInfo): string => (isStopped ? 'T' : 'S');
const number = (title: string, width: number, value: (process: ProcessInfo) => string): Column => ({
	title,
	width,
	value
});
const text = (title: string, width: number, value: (process: ProcessInfo) => string): Column => ({
	title,
	width,
	isText: true,
	value
});
/** A column for a value that the sandbox does not measure. */
const none = (title: string, width: number, value: string): Column => number(title, width, () => value);

const PID = 7;
const group = number('PGID', PID, ({ group }) => String(group));
const session = number('SID', PID, ({ session }) => String(session));
const terminal = text('TT', 8, () => 'pts/0');
const time = number('TIME', 8, () => '00:00:00');
const line = text('COMMAND', 27, lineOf);
const name = text('COMMAND', 15, nameOf);
const user = text('USER', 8, () => USER);
const userId = number('UID', 5, () => USER_ID);
const percent = (title: string) => none(title, 4, '0.0');

/** Columns by the names that `-o` takes. */
export const COLUMNS: Readonly<Record<string, Column>> = {
	pid: number('PID', PID, ({ pid }) => String(pid)),
	tgid: number('TGID', PID, ({ pid }) => String(pid)),
	ppid: number('PPID', PID, ({ parent }) => String(parent)),
	pgid: group,
	pgrp: { ...group, title: 'PGRP' },
	sid: session,
	sess: { ...session, title: 'SESS' },
	session: { ...session, title: 'SESS' },
	tty: terminal,
	tt: terminal,
	tname: { ...terminal, title: 'TTY' },
	time,
	cputime: time,
	bsdtime: none('TIME', 6, '0:00'),
	etime: number('ELAPSED', 11, elapsed),
	etimes: number('ELAPSED', 7, (process) => String(ageOf(process))),
	start: number('STARTED', 8, ({ startedMs }) => timeOf(new Date(startedMs), true)),
	lstart: number('STARTED', 24, dateOfStart),
	stime: text('STIME', 5, ({ startedMs }) => timeOf(new Date(startedMs), false)),
	start_time: text('START', 5, ({ startedMs }) => timeOf(new Date(startedMs), false)),
	bsdstart: number('START', 6, ({ startedMs }) => timeOf(new Date(startedMs), false)),
	stat: text('STAT', 4, stateOf),
	s: text('S', 1, stateOf),
	state: text('S', 1, stateOf),
	comm: name,
	ucmd: { ...name, title: 'CMD' },
	ucomm: name,
	fname: { ...name, width: 8 },
	args: line,
	command: line,
	cmd: { ...line, title: 'CMD' },
	user,
	uname: user,
	euser: { ...user, title: 'EUSER' },
	ruser: { ...user, title: 'RUSER' },
	uid: userId,
	euid: { ...userId, title: 'EUID' },
	ruid: { ...userId, title: 'RUID' },
	gid: { ...userId, title: 'GID' },
	egid: { ...userId, title: 'EGID' },
	group: { ...user, title: 'GROUP' },
	pcpu: percent('%CPU'),
	'%cpu': percent('%CPU'),
	pmem: percent('%MEM'),
	'%mem': percent('%MEM'),
	c: none('C', 2, '0'),
	rss: none('RSS', 5, '0'),
	vsz: none('VSZ', 6, '0'),
	sz: none('SZ', 5, '0'),
	ni: none('NI', 3, '0'),
	nice: none('NI', 3, '0'),
	pri: none('PRI', 3, '19'),
	nlwp: none('NLWP', 4, '1'),
	f: none('F', 1, '0'),
	addr: none('ADDR', 4, '-'),
	psr: none('PSR', 3, '0'),
	wchan: text('WCHAN', 6, () => '-')
};
