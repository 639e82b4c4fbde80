import type { BuiltIn } from '#computer/shell/state/host.ts';

const CATEGORIES = [
	'CTYPE',
	'NUMERIC',
	'TIME',
	'COLLATE',
	'MONETARY',
	'MESSAGES',
	'PAPER',
	'NAME',
	'ADDRESS',
	'TELEPHONE',
	'MEASUREMENT',
	'IDENTIFICATION'
];

export const locale: BuiltIn = async ({ shell, args, out }) => {
	const get = (name: string) => shell.variables.get(name) ?? '';
	if (args.includes('-a')) await out('C\nC.utf8\nPOSIX\n');
	else if (args[0] === 'charmap') await out('UTF-8\n');
	else {
		const all = get('LC_ALL');
		await out(`LANG=${get('LANG')}\nLANGUAGE=${get('LANGUAGE')}\n`);
		for (const category of CATEGORIES) {
			const own = get(`LC_${category}`);
			await out(`LC_${category}=${all === '' && own !== '' ? own : `"${all || get('LANG') || 'C'}"`}\n`);
		}
		await out(`LC_ALL=${all}\n`);
	}
	return 0;
};
