import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { UsageError, utility } from '../options.ts';
import { readDate } from './read-date.ts';
import { strftime } from './strftime.ts';
import { UTC, zoneOf } from '#computer/local-time/zone.ts';

const ISO: Record<string, string> = {
	'': '%F',
	date: '%F',
	hours: '%FT%H%:z',
	minutes: '%FT%H:%M%:z',
	seconds: '%FT%T%:z',
	ns: '%FT%T,%N%:z'
};
const RFC_3339: Record<string, string> = { date: '%F', seconds: '%F %T%:z', ns: '%F %T.%N%:z' };
const MAIL = '%a, %d %b %Y %T %z';
const USUAL = '%a %b %e %H:%M:%S %Z %Y';

/** `date`: prints the current time, the one of `-d` or of a file, in any format. The clock cannot be set. */
export const date = utility(
	'd|date= f|file= r|reference= u|utc|universal I|iso-8601=? R|rfc-email|rfc-2822 rfc-3339= s|set= debug',
	async (call, options) => {
		const zone = options.has('u') ? UTC : zoneOf(call.shell.variables.exported('TZ'));
		const formats = options.operands.filter((operand) => operand.startsWith('+'));
		if (options.operands.length > 1 && formats.length > 0)
			throw new UsageError(`extra operand '${options.operands[1]}'`);
		const format = chosen(
			options.last('I', 'R', 'rfc-3339'),
			options.get('I') ?? '',
			options.get('rfc-3339') ?? '',
			formats[0]
		);
		if (options.has('s') || formats.length < options.operands.length) {
			await call.complain('cannot set date: Operation not permitted');
			return 1;
		}
		const now = Date.now();
		let status = 0;
		for (const text of await asked(call, options.get('d'), options.get('f'))) {
			const ms =
				text === null ? (options.has('r') ? fileTime(call, options.get('r') ?? '') : now) : readDate(text, now, zone);
			if (ms === null) {
				await call.complain(
					text === null ? `${options.get('r')}: No such file or directory` : `invalid date '${text}'`
				);
				status = 1;
			} else await call.out(`${strftime(format, ms, zone)}\n`);
		}
		return status;
	}
);

function chosen(kind: string | undefined, iso: string, rfc: string, given: string | undefined): string {
	if (kind === 'R') return MAIL;
	if (kind === undefined) return given?.slice(1) ?? USUAL;
	const [table, word, name] = kind === 'I' ? [ISO, iso, '--iso-8601'] : [RFC_3339, rfc, '--rfc-3339'];
	const format = table[word] ?? Object.entries(table).find(([known]) => known !== '' && known.startsWith(word))?.[1];
	if (format === undefined) throw new UsageError(`invalid argument '${word}' for '${name}'`);
	return format;
}

/** Returns the requested dates; null means now, or the time of a file. */
async function asked(call: Call, date: string | undefined, file: string | undefined): Promise<(string | null)[]> {
	if (file === undefined) return [date ?? null];
	const lines = new LineSource(call, [file]);
	const found: string[] = [];
	for (let line = await lines.next(); line; line = await lines.next()) found.push(line.text);
	return found;
}

const fileTime = ({ shell }: Call, name: string) =>
	shell.host.context.sync.statOrNull(shell.path(name))?.modifiedMs ?? null;
