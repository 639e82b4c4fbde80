import type { BuiltIn } from '#computer/shell/state/host.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError, utility } from './options.ts';

const say =
	(text: string): BuiltIn =>
	async ({ out }) => {
		await out(`${text}\n`);
		return 0;
	};

const mktemp: BuiltIn = async (call) => {
	const directory = call.args.includes('-d') || call.args.includes('-dt');
	const place = call.args.indexOf('-p');
	const operands = call.args.filter((arg, index) => !arg.startsWith('-') && (place < 0 || index !== place + 1));
	const suffix = call.args.map((arg) => /^--suffix=(.*)$/.exec(arg)?.[1]).find((text) => text !== undefined) ?? '';
	const template = (operands[0] ?? 'tmp.XXXXXXXXXX') + suffix;
	const temporary = call.shell.variables.get('TMPDIR') || '/tmp';
	const base =
		place >= 0
			? call.args[place + 1]
			: operands[0] === undefined || call.args.includes('-t') || call.args.includes('--tmpdir')
				? temporary
				: null;
	const match = /^(.*?)(X{3,})([^X]*)$/.exec(template);
	if (!match) {
		await call.complain(`too few X's in template '${template}'`);
		return 1;
	}
	const random = [...crypto.getRandomValues(new Uint8Array((match[2] ?? '').length))];
	const letters = random
		.map((byte) => 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[byte % 62])
		.join('');
	const name = `${base === null ? '' : `${base ?? temporary}/`}${match[1]}${letters}${match[3]}`;
	const path = call.shell.path(name);
	if (!call.args.includes('-u')) {
		if (directory) call.shell.host.context.sync.mkdir(path, { mode: 0o700 });
		else call.shell.host.context.sync.writeFile(path, new Uint8Array(), { mode: 0o600, exclusive: true });
	}
	await call.out(`${name}\n`);
	return 0;
};

const uname: BuiltIn = async ({ args, out }) => {
	const flags = args.join('').replaceAll('-', '') || 's';
	const values: [string, string][] = [
		['s', 'Linux'],
		['n', 'sandglass'],
		['r', '6.1.0'],
		['v', '#1 SMP'],
		['m', 'x86_64'],
		['o', 'GNU/Linux']
	];
	const shown = values.filter(([letter]) => flags.includes('a') || flags.includes(letter)).map(([, value]) => value);
	await out(`${shown.join(' ')}\n`);
	return 0;
};

const id: BuiltIn = async ({ args, out }) => {
	const flags = args.join('');
	const name = flags.includes('n');
	const text = /[ugG]/.test(flags) ? (name ? 'user' : '1000') : 'uid=1000(user) gid=1000(user) groups=1000(user)';
	await out(`${text}\n`);
	return 0;
};

const groups: BuiltIn = async ({ out }) => {
	await out('user\n');
	return 0;
};

const cmp: BuiltIn = async (call) => {
	const names = call.args.filter((arg) => !arg.startsWith('-') || arg === '-');
	const quiet = call.args.includes('-s');
	const contents: Uint8Array[] = [];
	for (const name of names.slice(0, 2)) {
		try {
			contents.push(
				name === '-'
					? await call.shell.descriptors.require(0).readAll()
					: call.shell.host.context.sync.readFile(call.shell.path(name))
			);
		} catch (error) {
			if (!quiet) await call.complain(`${name}: ${reason(error)}`);
			return 2;
		}
	}
	const [a = new Uint8Array(), b = new Uint8Array()] = contents;
	const size = Math.min(a.length, b.length);
	let line = 1;
	for (let index = 0; index < size; index++) {
		if (a[index] !== b[index]) {
			if (!quiet) await call.out(`${names[0]} ${names[1]} differ: char ${index + 1}, line ${line}\n`);
			return 1;
		}
		if (a[index] === 10) line++;
	}
	if (a.length === b.length) return 0;
	const shorter = a.length < b.length ? names[0] : names[1];
	if (!quiet)
		await call.complain(
			size === 0 ? `EOF on ${shorter} which is empty` : `EOF on ${shorter} after byte ${size}, line ${line - 1}`
		);
	return 1;
};

const printenv = utility(
	'+0|null',
	async ({ shell, out }, options) => {
		const environment = shell.environment();
		const end = options.has('0') ? '\0' : '\n';
		const { operands } = options;
		if (operands.length === 0)
			for (const [name, value] of Object.entries(environment)) await out(`${name}=${value}${end}`);
		for (const name of operands) if (environment[name] !== undefined) await out(`${environment[name]}${end}`);
		return operands.every((name) => environment[name] !== undefined && !name.includes('=')) ? 0 : 1;
	},
	2
);

const PROCESSORS = 4;

const nproc = utility('all ignore=', async ({ shell, out }, options) => {
	const ignored = options.get('ignore') ?? '0';
	const [extra] = options.operands;
	if (!/^ *\+?\d+$/.test(ignored)) throw new UsageError(`invalid number: '${ignored}'`);
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	const variable = (name: string) => {
		const [first = ''] = (shell.variables.get(name) ?? '').trim().split(/\s*,/);
		return /^\d+$/.test(first) && Number(first) > 0 ? Number(first) : null;
	};
	const wanted = options.has('all') ? null : variable('OMP_NUM_THREADS');
	const limit = options.has('all') ? null : variable('OMP_THREAD_LIMIT');
	await out(`${Math.max(1, Math.min(wanted ?? PROCESSORS, limit ?? Infinity) - Number(ignored))}\n`);
	return 0;
});

const tty: BuiltIn = async ({ shell, out }) => {
	const kernel = shell.descriptors.get(0)?.kernel;
	const terminal = kernel !== undefined && shell.host.context.sync.isTerminal(kernel);
	await out(terminal ? '/dev/pts/0\n' : 'not a tty\n');
	return terminal ? 0 : 1;
};

/** Small commands about the system itself. */
export const systemUtilities: Record<string, BuiltIn> = {
	mktemp,
	uname,
	id,
	cmp,
	groups,
	tty,
	printenv,
	whoami: say('user'),
	hostname: say('sandglass'),
	nproc,
	logname: say('user'),
	users: say('user'),
	arch: say('x86_64'),
	sync: () => 0
};
