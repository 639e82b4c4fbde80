import { reason } from '#computer/shell/execution/redirections.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Entry } from './entry.ts';
import type { Run } from './run.ts';

/** Compares a member with its file, and reports the differences. */
export async function compareWith(run: Run, entry: Entry, path: string, base: string): Promise<void> {
	const { sync } = run;
	const differs = async (text: string) => {
		await run.say(`${run.shown(entry.name)}: ${text}`);
		run.differs();
	};
	let stat: WireStat;
	try {
		stat = run.options.has('h') ? sync.stat(path) : sync.lstat(path);
	} catch (error) {
		await run.warn(`${run.shown(entry.name)}: Warning: Cannot stat: ${reason(error)}`);
		run.differs();
		return;
	}
	if (entry.type === '1') {
		const target = sync.statOrNull(`${base}/${entry.target}`);
		const isOne = stat.kind !== 'symlink' && target?.inode === stat.inode;
		if (!isOne) await differs(`Not linked to ${run.shown(entry.target)}`);
		return;
	}
	const kinds: Record<string, WireStat['kind']> = {
		'0': 'file',
		'2': 'symlink',
		'5': 'directory',
		D: 'directory',
		'6': 'fifo'
	};
	if (kinds[entry.type] !== stat.kind) {
		await differs('File type differs');
		return;
	}
	if (entry.type === '2') {
		if (sync.readlink(path) !== entry.target) await differs('Symlink differs');
		return;
	}
	if ((stat.mode & 0o7777) !== entry.mode) await differs('Mode differs');
	if (entry.type !== '0') return;
	if (entry.userId !== OWNER) await differs('Uid differs');
	if (entry.groupId !== OWNER) await differs('Gid differs');
	if (!isSameTime(stat.modifiedMs, entry.modifiedMs)) await differs('Mod time differs');
	if (stat.size !== entry.content.length) {
		await differs('Size differs');
		return;
	}
	const bytes = sync.readFile(path);
	if (!bytes.every((byte, index) => byte === entry.content[index])) await differs('Contents differ');
}

const OWNER = 1000;

/** Headers store whole seconds, unless the format has more precision. */
const isSameTime = (file: number, member: number): boolean =>
	Math.abs(file - member) < 1 || Math.floor(file / 1000) * 1000 === member;
