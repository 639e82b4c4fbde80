import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTar } from '#environment/archive/tar-format.ts';
import { archiveOf } from '#computer/build/zoneinfo/archive.ts';
import { footerOf } from '#computer/build/zoneinfo/footer.ts';
import { parseSource } from '#computer/build/zoneinfo/source.ts';
import { historyOf } from '#computer/build/zoneinfo/transitions.ts';
import { readTzif, typeAt, type Tzif } from './tzif-reader.ts';

const OWN = new URL('../../../src/computer/build/zoneinfo/', import.meta.url);
/** Debian's tzdata, which has the source next to the files that zic compiled from it. */
const DEBIAN = '/usr/share/zoneinfo';

/** Files of an archive, links resolved. */
function filesOf(source: string, table = ''): Map<string, Uint8Array> {
	const members = readTar(archiveOf(source, table));
	const files = new Map(members.flatMap(({ name, kind, bytes }) => (kind === 'file' ? [[name, bytes]] : [])));
	const links = members.flatMap(({ name, kind, target }) => {
		const real = new URL(target, `file:///${name}`).pathname.slice(1);
		return kind === 'symlink' ? [[name, real] as const] : [];
	});
	// A link may lead to another.
	for (let left = links; left.length > 0;) {
		const later = left.filter(([name, real]) => {
			const bytes = files.get(real);
			if (bytes) files.set(name, bytes);
			return !bytes;
		});
		if (later.length === left.length) throw new Error(`Links that lead nowhere: ${later.join(' ')}`);
		left = later;
	}
	return files;
}

const isTzif = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 4)) === 'TZif';

/** Times at which two histories have a different local time. */
function differences(made: Tzif, given: Tzif): string[] {
	const found = made.footer === given.footer ? [] : [`footer ${made.footer} is ${given.footer}`];
	for (const [part, from] of [
		['long', -Infinity],
		['short', -(2 ** 31)]
	] as const) {
		const times = new Set([...made[part].times, ...given[part].times].flatMap((time) => [time - 1, time]));
		for (const time of [...times].filter((time) => time >= from)) {
			const [own, other] = [typeAt(made[part], time), typeAt(given[part], time)].map((type) => JSON.stringify(type));
			if (own !== other) found.push(`${part} ${time}: ${own} is ${other}`);
		}
	}
	return found;
}

const compiled = (lines: string) => {
	const [[, eras = []] = []] = parseSource(lines).zones;
	const history = historyOf(eras);
	return { history, footer: footerOf(eras, history) };
};

describe('compiled time zones', () => {
	let files: Map<string, Uint8Array>;
	beforeAll(() => {
		files = filesOf(readFileSync(new URL('tzdata.zi', OWN), 'utf8'), readFileSync(new URL('zone.tab', OWN), 'utf8'));
	});

	it.runIf(existsSync(`${DEBIAN}/tzdata.zi`))('are those that zic makes of the same source, in every zone', () => {
		const made = filesOf(readFileSync(`${DEBIAN}/tzdata.zi`, 'utf8'));
		const zones = [...made].filter(([, bytes]) => isTzif(bytes));
		expect(zones.length).toBeGreaterThan(590);
		const wrong = zones.flatMap(([name, bytes]) => {
			if (!existsSync(`${DEBIAN}/${name}`)) return [`${name}: no such zone`];
			const found = differences(readTzif(bytes), readTzif(readFileSync(`${DEBIAN}/${name}`)));
			return found.length > 0 ? [`${name}: ${found[0]}`] : [];
		});
		expect(wrong).toEqual([]);
	});

	it('have the offsets of Intl, at times that no later version of the data has changed', () => {
		const [from, to] = [Date.UTC(1970, 0, 1) / 1000, Date.UTC(2022, 0, 1) / 1000];
		let seed = 20261128;
		const random = () => (seed = (seed * 48271) % (2 ** 31 - 1)) / (2 ** 31 - 1);
		const wrong: string[] = [];
		for (const [name, bytes] of files) {
			if (!isTzif(bytes) || name === 'Factory') continue;
			const { long } = readTzif(bytes);
			const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
			for (let count = 0; count < 20; count++) {
				const time = Math.floor(from + random() * (to - from));
				const offset = offsetBy(format, time);
				if (typeAt(long, time)?.offset !== offset) wrong.push(`${name} at ${time}: ${offset}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	it('are there under each name that the table of countries gives', () => {
		const rows = new TextDecoder().decode(files.get('zone.tab')).split('\n');
		const names = rows.filter((row) => row !== '' && !row.startsWith('#')).map((row) => row.split('\t')[2] ?? '');
		expect(names.length).toBeGreaterThan(400);
		expect(names.filter((name) => !isTzif(files.get(name) ?? new Uint8Array(0)))).toEqual([]);
	});

	it('begin their 32-bit block with what holds at its start', () => {
		const { short, long } = readTzif(files.get('Europe/Berlin') ?? new Uint8Array(0));
		expect([short.times[0], typeAt(short, -(2 ** 31))]).toEqual([
			-(2 ** 31),
			{ offset: 3600, isDst: false, abbreviation: 'CET' }
		]);
		expect([long.times[0], typeAt(long, -(2 ** 40))?.abbreviation]).toEqual([-2422054408, 'LMT']);
	});
});

/** Offset in seconds: `GMT-03:30:52`. */
function offsetBy(format: Intl.DateTimeFormat, seconds: number): number {
	const text = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
	const [, sign, hours = '0', minutes = '0', rest = '0'] = /^GMT(?:([-+])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
	return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)) || 0;
}

describe('rules of time zones', () => {
	const EU = 'Rule EU 1981 max - Mar lastSun 1:00u 1:00 S\nRule EU 1996 max - Oct lastSun 1:00u 0 -\n';

	it.each([
		['a zone with summer time', `${EU}Zone X 1:00 EU CE%sT`, 'CET-1CEST,M3.5.0,M10.5.0/3'],
		['minutes, and names without letters', `${EU}Zone X -3:30 EU %z`, '<-0330>3:30<-0230>,M3.5.0/-2:30,M10.5.0/-1:30'],
		[
			'winter time that goes back',
			'R I 1971 ma - Mar lastSu 1u 0 -\nR I 1971 ma - O lastSu 1u -1 -\nZ X 1 I IST/GMT',
			'IST-1GMT0,M10.5.0,M3.5.0/1'
		],
		[
			'days that are no week of the month',
			'R C 2000 ma - Ap Su>=2 3u 0 -\nR C 2000 ma - S F<=29 3u 1 -\nZ X -4 C %z',
			'<-04>4<-03>,M9.4.4/23,M4.1.6/24'
		],
		['dates', 'R D 2000 ma - Mar 1 0 1 D\nR D 2000 ma - F 9 0 0 S\nZ X 0 D A%sT', 'AST0ADT,J60/0,J40/0'],
		['rules that have ended', 'R O 1990 o - Jun 1 0 1 S\nR O 1990 o - S 1 0 0 -\nZ X 2 O EE%sT', 'EET-2']
	])('become TZ: %s', (_, lines, footer) => {
		expect(compiled(lines).footer.text).toBe(footer);
	});

	it('marks hours that POSIX does not have', () => {
		expect(compiled(`${EU}Zone X -3:30 EU %z`).footer.isExtended).toBe(true);
		expect(compiled(`${EU}Zone X 1:00 EU CE%sT`).footer.isExtended).toBe(false);
	});

	it.each([
		['', '2000-06-30T22:00:00.000Z'],
		['s', '2000-06-30T23:00:00.000Z'],
		['u', '2000-07-01T00:00:00.000Z']
	])('reads the end of an era from the clock that it names: 0:00%s', (suffix, expected) => {
		const { history } = compiled(`${EU}Zone X 1:00 EU CE%sT 2000 Jul 1 0:00${suffix}\n5:00 - %z`);
		const last = history.transitions.at(-1);
		expect([new Date((last?.at ?? 0) * 1000).toISOString(), last?.to.abbreviation]).toEqual([expected, '+05']);
	});

	it('begins an era with the rule that was in force before it', () => {
		const { history } = compiled(`${EU}Zone X 1:00 - CET 2000 Jul\n0:00 EU WE%sT`);
		expect(history.transitions[0]).toEqual({
			at: Date.UTC(2000, 5, 30, 23) / 1000,
			to: { offset: 3600, isDst: true, abbreviation: 'WEST' }
		});
	});

	it('refuses what it does not know', () => {
		expect(() => parseSource('Zone X 1:00 Unknown CE%sT')).toThrow(/unknown rules/);
		expect(() => parseSource('Zone X 1:00x:00 - CET')).toThrow(/Not a time/);
		expect(() => parseSource('Rule A 1990 only - J 1 0 0 -')).toThrow(/Not a month/);
		expect(() => compiled('R L 2000 ma - F 29 0 1 D\nR L 2000 ma - S 1 0 0 S\nZ X 0 L A%sT')).toThrow(/February 29/);
	});
});
