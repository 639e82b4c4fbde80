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

/** Values of keywords in the C locale, which programs here use. */
const KEYWORDS: Readonly<Record<string, string>> = {
	abday: 'Sun;Mon;Tue;Wed;Thu;Fri;Sat',
	day: 'Sunday;Monday;Tuesday;Wednesday;Thursday;Friday;Saturday',
	abmon: 'Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec',
	mon: 'January;February;March;April;May;June;July;August;September;October;November;December',
	am_pm: 'AM;PM',
	d_t_fmt: '%a %b %e %H:%M:%S %Y',
	d_fmt: '%m/%d/%y',
	t_fmt: '%H:%M:%S',
	t_fmt_ampm: '%I:%M:%S %p',
	decimal_point: '.',
	thousands_sep: '',
	yesexpr: '^[yY]',
	noexpr: '^[nN]',
	charmap: 'UTF-8'
};

export const locale: BuiltIn = async ({ shell, args, out }) => {
	const get = (name: string) => shell.variables.exported(name) ?? '';
	if (args.includes('-a')) await out('C\nC.utf8\nPOSIX\n');
	else if (args[0] !== undefined && args[0] in KEYWORDS)
		for (const name of args) await out(`${KEYWORDS[name] ?? ''}\n`);
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
