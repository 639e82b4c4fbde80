import { UsageError, type Options } from '../../options.ts';
import { transformation, type Transformation } from './transform.ts';

export const SPECIFICATION = [
	'A|catenate|concatenate c|create x|extract|get t|list r|append u|update d|diff|compare delete test-label',
	'G|incremental g|listed-incremental= level= n|seek no-seek occurrence=? S|sparse sparse-version= hole-detection=',
	'check-device no-check-device k|keep-old-files skip-old-files keep-newer-files overwrite U|unlink-first',
	'recursive-unlink keep-directory-symlink no-overwrite-dir overwrite-dir one-top-level=? W|verify remove-files',
	'O|to-stdout to-command= ignore-command-error no-ignore-command-error atime-preserve=? delay-directory-restore',
	'no-delay-directory-restore group= group-map= owner= owner-map= m|touch mode= mtime= clamp-mtime same-owner',
	'no-same-owner no-same-permissions numeric-owner p|preserve-permissions|same-permissions s|preserve-order|same-order',
	'sort= o f|file= F|info-script|new-volume-script= L|tape-length= M|multi-volume force-local rmt-command=',
	'rsh-command= volno-file= b|blocking-factor= B|read-full-records i|ignore-zeros record-size= H|format=',
	'old-archive|portability posix pax-option= V|label= a|auto-compress no-auto-compress I|use-compress-program=',
	'j|bzip2 J|xz lzip lzma lzop z|gzip|gunzip|ungzip Z|compress|uncompress zstd backup=? suffix= h|dereference',
	'hard-dereference K|starting-file= N|newer|after-date= newer-mtime= one-file-system P|absolute-names add-file=',
	'C|directory= exclude= exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-ignore=',
	'exclude-ignore-recursive= exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores',
	'X|exclude-from= null no-null recursion no-recursion unquote no-unquote verbatim-files-from no-verbatim-files-from',
	'T|files-from= anchored no-anchored ignore-case no-ignore-case wildcards no-wildcards wildcards-match-slash',
	'no-wildcards-match-slash strip-components= transform|xform= checkpoint=? checkpoint-action= full-time index-file=',
	'l|check-links no-quote-chars= quote-chars= quoting-style= R|block-number show-defaults show-omitted-dirs',
	'show-transformed-names|show-stored-names totals=? utc v|verbose warning= w|interactive|confirmation version',
	'ignore-failed-read acls no-acls selinux no-selinux xattrs no-xattrs xattrs-exclude= xattrs-include='
].join(' ');

export const FORMATS = ['v7', 'oldgnu', 'gnu', 'ustar', 'posix'] as const;
export type Format = (typeof FORMATS)[number];

/** Letters of the old style that take a value. */
const WITH_VALUE = /[bCfFgHIKLNTVX]/;

/** Converts old-style options, `tar czf a.tgz dir`, to the new style. */
export function newStyle(args: readonly string[]): string[] {
	const [letters = '', ...values] = args;
	if (letters === '' || letters.startsWith('-')) return [...args];
	const options = [...letters].flatMap((letter) => {
		if (!WITH_VALUE.test(letter)) return [`-${letter}`];
		if (!values.length) throw new UsageError(`Old option '${letter}' requires an argument.`, true);
		return [`-${letter}`, values.shift() ?? ''];
	});
	return [...options, ...values];
}

const MODES = { A: 'A', c: 'c', x: 'x', t: 't', r: 'r', u: 'u', d: 'd', delete: 'delete', 'test-label': 'test-label' };
export type Mode = keyof typeof MODES;

/** Determines the operation from a command line. @throws UsageError unless there is exactly one */
export function modeOf(options: Options): Mode {
	const modes = new Set(options.given.map(({ name }) => name).filter((name): name is Mode => name in MODES));
	const [mode] = modes;
	if (mode === undefined)
		throw new UsageError("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options", true);
	if (modes.size > 1)
		throw new UsageError("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option", true);
	return mode;
}

/** Format of archives to write; GNU by default. */
export function formatOf(options: Options): Format {
	const chosen = options.order.findLast(({ name }) => ['H', 'posix', 'old-archive', 'pax-option'].includes(name ?? ''));
	const isOld = options.has('o') && options.has('c');
	if (!chosen) return isOld ? 'v7' : options.has('xattrs', 'acls', 'selinux') ? 'posix' : 'gnu';
	if (chosen.name !== 'H') return chosen.name === 'old-archive' ? 'v7' : 'posix';
	const word = chosen.value === 'pax' ? 'posix' : chosen.value;
	const format = FORMATS.find((one) => one === word);
	if (!format) throw new UsageError(`${word}: Invalid archive format`, true);
	return format;
}

/** Parses `10`, `10k`, `1M` in units of `unit` bytes. @throws UsageError */
export function sizeOf(text: string, unit: number, what: string): number {
	const [, digits, suffix = ''] = /^(\d+)([bBcGgKkMmTtw]?)$/.exec(text) ?? [];
	const units: Record<string, number> = {
		'': unit,
		b: 512,
		B: 1024,
		c: 1,
		w: 2,
		k: 1024,
		m: 1 << 20,
		g: 1 << 30,
		t: 2 ** 40
	};
	const bytes = Number(digits) * (units[suffix] ?? units[suffix.toLowerCase()] ?? Number.NaN);
	if (digits === undefined || !Number.isSafeInteger(bytes)) throw new UsageError(`${text}: Invalid ${what}`);
	return bytes;
}

/** Transformations of member names, in order of the options. */
export function transformationsOf(options: Options): Transformation[] {
	return options.all('transform').flatMap(transformation);
}
