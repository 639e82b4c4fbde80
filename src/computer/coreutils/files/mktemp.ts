import type { BuiltIn } from '#computer/shell/state/host.ts';

export const mktemp: BuiltIn = async (call) => {
	const directory = call.args.includes('-d') || call.args.includes('-dt');
	const place = call.args.indexOf('-p');
	const operands = call.args.filter((arg, index) => !arg.startsWith('-') && (place < 0 || index !== place + 1));
	const suffix = call.args.map((arg) => /^--suffix=(.*)$/.exec(arg)?.[1]).find((text) => text !== undefined) ?? '';
	const template = (operands[0] ?? 'tmp.XXXXXXXXXX') + suffix;
	const temporary = call.shell.variables.exported('TMPDIR') || '/tmp';
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
