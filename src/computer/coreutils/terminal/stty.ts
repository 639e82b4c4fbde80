import { COOKED, RAW, type TerminalSettings } from '#computer/abi/terminal-settings.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';

/** Each setting with its word in `stty`, the index of its flags word among the four, and its bit there, as on Linux. */
const FLAGS: [name: keyof TerminalSettings, word: string, place: number, bit: number][] = [
	['returnsAreFeeds', 'icrnl', 0, 0x100],
	['feedsReturn', 'opost', 1, 0x1],
	['signals', 'isig', 3, 0x1],
	['lines', 'icanon', 3, 0x2],
	['echo', 'echo', 3, 0x8]
];
/** Constant flags of the terminal: IXON, ONLCR, CS8 with CREAD, and IEXTEN with line editing. */
const ALWAYS = [0x400, 0x4, 0xbf, 0x8a30];
const KEYS = '3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0';

const KNOWN: Record<string, Partial<TerminalSettings>> = {
	sane: COOKED,
	raw: { ...RAW, feedsReturn: false },
	'-raw': COOKED,
	cooked: COOKED,
	'-cooked': { ...RAW, feedsReturn: false },
	cbreak: { lines: false },
	'-cbreak': { lines: true },
	...Object.fromEntries(
		FLAGS.flatMap(([name, word]) => [
			[word, { [name]: true }],
			[`-${word}`, { [name]: false }]
		])
	)
};
/** Settings for serial lines and line editing: accepted without effect. */
const WITHOUT_EFFECT =
	/^-?(ixon|ixoff|ixany|iexten|echoe|echok|echonl|echoctl|echoke|echoprt|onlcr|ocrnl|onlret|inlcr|igncr|brkint|ignbrk|inpck|istrip|imaxbel|iutf8|parmrk|tostop|noflsh|hupcl|clocal|cread|cs[5-8]|parenb|evenp|oddp|tabs|nl|crt|dec|\d+)$/;
const WITH_VALUE =
	/^(min|time|rows|cols|columns|intr|quit|erase|kill|eof|eol|start|stop|susp|werase|lnext|ispeed|ospeed|line)$/;

/** `stty`: shows and changes how the terminal treats keys. Changes last until the next change. */
export const stty: BuiltIn = async (call) => {
	const { sync, async: calls } = call.shell.host.context;
	const words = [...call.args];
	if (words[0] === '-F' || words[0] === '--file') words.splice(0, 2);
	const kernel = call.shell.descriptors.get(0)?.kernel;
	if (kernel === undefined || !sync.isTerminal(kernel)) {
		await call.complain("'standard input': Inappropriate ioctl for device");
		return 1;
	}
	const { rows, columns } = sync.terminalSize();
	if (words.length === 0 || words[0] === '-a' || words[0] === '--all') {
		await call.out(described(await calls.terminalSettings({}), words.length > 0 ? { rows, columns } : null));
		return 0;
	}
	if (words[0] === '-g' || words[0] === '--save') {
		await call.out(`${saved(await calls.terminalSettings({}))}\n`);
		return 0;
	}
	const change: Partial<TerminalSettings> = {};
	for (let word = words.shift(); word !== undefined; word = words.shift()) {
		const known = KNOWN[word] ?? restored(word);
		if (word === 'size') await call.out(`${rows} ${columns}\n`);
		else if (known) Object.assign(change, known);
		else if (WITH_VALUE.test(word)) words.shift();
		else if (!WITHOUT_EFFECT.test(word)) {
			await call.complain(`invalid argument '${word}'\nTry 'stty --help' for more information.`);
			return 1;
		}
	}
	if (Object.keys(change).length > 0) await calls.terminalSettings(change, true);
	return 0;
};

function described(settings: TerminalSettings, size: { rows: number; columns: number } | null): string {
	const first = size
		? `speed 38400 baud; rows ${size.rows}; columns ${size.columns}; line = 0;\n`
		: 'speed 38400 baud; line = 0;\n';
	const shown = FLAGS.filter(([name]) => size !== null || !settings[name]);
	const line = shown.map(([name, word]) => `${settings[name] ? '' : '-'}${word}`).join(' ');
	return line === '' ? first : `${first}${line}\n`;
}

/** Output of `stty -g`, which `stty` accepts again. */
function saved(settings: TerminalSettings): string {
	const words = [...ALWAYS];
	for (const [name, , place, bit] of FLAGS) if (settings[name]) words[place] = (words[place] ?? 0) | bit;
	return `${words.map((word) => word.toString(16)).join(':')}:${KEYS}`;
}

function restored(text: string): Partial<TerminalSettings> | null {
	if (!/^[\da-f]+(:[\da-f]+){30,}$/.test(text)) return null;
	const words = text.split(':').map((word) => parseInt(word, 16));
	return Object.fromEntries(FLAGS.map(([name, , place, bit]) => [name, ((words[place] ?? 0) & bit) !== 0]));
}
