import posix from 'path';

/** `C:\`, `\\server\share\`, `C:` or nothing: the root of a path, and whether it is absolute. */
interface Root {
	device: string;
	isAbsolute: boolean;
	/** Length of the matched root. */
	length: number;
}

const ANY = /[\\/]/;

/** `path.win32`: Windows paths, wherever the program runs. */
export function createWin32(workingDirectory: () => string): Record<string, unknown> {
	const normalize = (path: string): string => {
		if (path === '') return '.';
		const { device, isAbsolute, length } = rootOf(path);
		const tail = path.slice(length);
		const kept = segments(tail, !isAbsolute).join('\\');
		const end = /[\\/]$/.test(path) ? '\\' : '';
		if (isAbsolute) return `${device}\\${kept}${kept === '' ? '' : end}`;
		if (device !== '') return device + (kept === '' ? `.${tail === '' ? '' : end}` : kept + end);
		// A relative path must not become a drive.
		const isSafe = !/^[A-Za-z]:/.test(kept) && !/:([\\/]|$)/.test(path);
		return (isSafe ? '' : '.\\') + (kept || '.') + (isSafe || kept !== '' ? end : '');
	};
	const resolve = (...paths: string[]): string => {
		let device = '';
		let tail = '';
		let isAbsolute = false;
		for (const path of [...paths].reverse().concat(workingDirectory().replaceAll('/', '\\'))) {
			if (isAbsolute && device !== '') break;
			if (path === '') continue;
			const root = rootOf(path);
			if (root.device !== '' && device !== '' && root.device.toLowerCase() !== device.toLowerCase()) continue;
			device ||= root.device;
			if (isAbsolute) continue;
			tail = `${path.slice(root.length)}\\${tail}`;
			isAbsolute = root.isAbsolute;
		}
		return device + (isAbsolute ? '\\' : '') + segments(tail, !isAbsolute).join('\\') || '.';
	};
	const isAbsolute = (path: string): boolean => /^([\\/]|[A-Za-z]:[\\/])/.test(path);
	const join = (...paths: string[]): string => {
		const parts = paths.filter((part) => part !== '');
		const [first] = parts;
		if (first === undefined) return '.';
		let joined = parts.join('\\');
		// Only a path that begins with two slashes and a name refers to another machine.
		if (!/^[\\/]{2}[^\\/]/.test(first)) joined = joined.replace(/^[\\/]{2,}/, '\\');
		return normalize(joined);
	};
	const relative = (from: string, to: string): string => {
		const [start, end] = [resolve(from), resolve(to)];
		if (start.toLowerCase() === end.toLowerCase()) return '';
		// Here Windows treats a device as a segment: another share of the same machine is a sibling.
		const [old, next] = [start, end].map((path) => path.split('\\').filter((part) => part !== '')) as [
			string[],
			string[]
		];
		let same = 0;
		while (same < old.length && old[same]?.toLowerCase() === next[same]?.toLowerCase()) same++;
		if (same === 0) return end;
		return [...old.slice(same).map(() => '..'), ...next.slice(same)].join('\\');
	};
	const dirname = (path: string): string => {
		if (path === '') return '.';
		const { length } = rootOf(path);
		const body = path.slice(length).replace(/[\\/]+$/, '');
		const at = Math.max(body.lastIndexOf('\\'), body.lastIndexOf('/'));
		return path.slice(0, length) + (at < 0 ? '' : body.slice(0, at)) || '.';
	};
	const last = (path: string): string => {
		const { length } = /^[A-Za-z]:/.test(path) ? { length: 2 } : { length: 0 };
		return (
			path
				.slice(length)
				.replace(/[\\/]+$/, '')
				.split(ANY)
				.at(-1) ?? ''
		);
	};
	const basename = (path: string, suffix?: string): string => {
		const base = last(path);
		return suffix === base && suffix !== path ? base : posix.basename(base, suffix);
	};
	const extname = (path: string): string => posix.extname(last(path));
	const parse = (path: string) => {
		const root = path.slice(0, rootOf(path).length);
		const base = path.length === root.length ? '' : last(path.slice(root.length));
		const ext = posix.extname(base);
		const name = ext === '' ? base : base.slice(0, -ext.length);
		const before = path.replace(/[\\/]+$/, '').slice(0, -base.length || undefined);
		const dir = base === '' || before.length <= root.length ? root : before.slice(0, -1);
		return { root, dir, base, ext, name };
	};
	const format = (given: { root?: string; dir?: string; base?: string; ext?: string; name?: string }): string => {
		const extension = given.ext && !given.ext.startsWith('.') ? `.${given.ext}` : (given.ext ?? '');
		const base = given.base || `${given.name ?? ''}${extension}`;
		const dir = given.dir || given.root;
		if (!dir) return base;
		return dir === given.root ? dir + base : `${dir}\\${base}`;
	};
	const toNamespacedPath = (path: unknown): unknown => {
		if (typeof path !== 'string' || path === '') return path;
		const full = resolve(path);
		if (/^[A-Za-z]:\\/.test(full)) return `\\\\?\\${full}`;
		return /^\\\\[^?.]/.test(full) ? `\\\\?\\UNC\\${full.slice(2)}` : path;
	};
	return {
		...{ resolve, normalize, isAbsolute, join, relative, toNamespacedPath, dirname, basename, extname, format, parse },
		sep: '\\',
		delimiter: ';'
	};
}

function rootOf(path: string): Root {
	const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)([\\/]+|$)/.exec(path);
	if (share) return { device: `\\\\${share[1]}\\${share[2]}`, isAbsolute: true, length: share[0].length };
	const [drive = ''] = /^[A-Za-z]:/.exec(path) ?? [];
	const [slash = ''] = /^[\\/]/.exec(path.slice(drive.length)) ?? [];
	return { device: drive, isAbsolute: slash !== '', length: drive.length + slash.length };
}

/** Resolves `.` and `..` in segments; leading `..` are preserved if allowed. */
function segments(path: string, mayLeave: boolean): string[] {
	const kept: string[] = [];
	for (const part of path.split(ANY)) {
		if (part === '' || part === '.') continue;
		if (part !== '..') kept.push(part);
		else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
		else if (mayLeave) kept.push('..');
	}
	return kept;
}
