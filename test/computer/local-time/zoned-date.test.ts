import { execFileSync } from 'node:child_process';
import vm from 'node:vm';
import { expect, it } from 'vitest';
import { LocalTime, type TimeScope } from '#computer/local-time/zoned-date.ts';

/** Checks local time in all ways; the same text runs in Node and here. */
const LOOK = `
	const seen = [];
	let seed = 7;
	const next = (below) => (seed = (seed * 48271) % 2147483647) % below;
	const around = [Date.UTC(2024, 2, 10, 7), Date.UTC(2024, 10, 3, 6), Date.UTC(2024, 2, 31, 1), Date.UTC(2011, 11, 30, 10)];
	const times = around.flatMap((at) => [-2, -1, 0, 1, 2].map((hours) => at + hours * 1800000));
	for (let at = 0; at < 200; at++) times.push((410000000 + next(1590000000)) * 1000);
	for (const ms of times) {
		const date = new Date(ms);
		const fields = [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
		const changed = new Date(ms);
		changed.setHours(2, 30);
		const moved = new Date(ms);
		moved.setMonth(2, 10);
		const set = new Date(ms);
		set.setFullYear(2024, 2, 31);
		seen.push([
			...fields, date.getDay(), date.getYear(), date.getTimezoneOffset(), String(date), date.toDateString(), date.toTimeString(),
			date.toLocaleString('en-US'), date.toLocaleDateString('de-DE'), date.toLocaleTimeString('en-US', { timeZone: 'Asia/Tokyo' }),
			new Date(...fields).getTime(), changed.getTime(), moved.getTime(), set.getTime(), date.setMinutes(70), date.setSeconds(-1), date.setDate(0),
			new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }).format(ms)
		]);
	}
	for (const text of [
		'2024-03-10T02:30:00', '2024-03-10T02:30', '2024-03-10 02:30', '2024-03-10', '2024-03', 'Mar 10, 2024 02:30:15', 'Sun Mar 31 2024',
		'2024-03-10T02:30Z', '2024-03-10T02:30:00.5+05:30', 'Sun Mar 10 2024 02:30:00 GMT+0100 (CET)', '10 March 2024 12:00 EST', 'Tue, 14 Nov 2023 17:13:20 GMT',
		'1/2/2024', '2024/1/2 3:04', 'nothing', ''
	]) seen.push([text, Date.parse(text), new Date(text).getTime()]);
	seen.push([
		Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(2024, 0).getTime(), new Date(99, 1, 2, 3).getTime(), new Date(NaN).getHours(), String(new Date(NaN)),
		new Date({ valueOf: () => 5 }).getTime(), new Date(new Date(2024, 5)).getTime(), new Date(true).getTime(), Date.name, Date.length, typeof Date(),
		new Date(1) instanceof Date, new Date(1).constructor === Date, class extends Date {}.name, new (class extends Date {})(2024, 1).getTime(),
		new Date(NaN).setFullYear(2024), Date.prototype.getHours.name, Intl.DateTimeFormat('en').constructor === Intl.DateTimeFormat
	]);
	JSON.stringify(seen);
`;

function lookHere(tz: string): unknown {
	const scope = vm.createContext({}) as unknown as TimeScope;
	const world = vm.runInContext('globalThis', scope as unknown as vm.Context) as TimeScope;
	new LocalTime(world).follow(tz);
	return JSON.parse(vm.runInContext(LOOK, scope as unknown as vm.Context) as string);
}

function lookNatively(tz: string): unknown {
	const script = LOOK.replace('JSON.stringify(seen)', 'process.stdout.write(JSON.stringify(seen))');
	return JSON.parse(
		execFileSync(process.execPath, ['-e', script], { env: { ...process.env, TZ: tz }, encoding: 'utf8' })
	);
}

it.each([
	'America/New_York',
	'Europe/London',
	'Asia/Kolkata',
	'Australia/Lord_Howe',
	'America/St_Johns',
	'Pacific/Apia',
	'UTC',
	':Asia/Tokyo'
])('%s: dates and formats are those of Node', (tz) => {
	expect(lookHere(tz)).toEqual(lookNatively(tz));
});

it('follows another zone, and the browser’s again', () => {
	const scope = vm.createContext({});
	const world = vm.runInContext('globalThis', scope) as TimeScope;
	const hours = () => vm.runInContext('new Date(0).getHours()', scope) as number;
	const own = hours();
	const time = new LocalTime(world);
	const { Date } = world;
	const zone = new world.Intl.DateTimeFormat().resolvedOptions().timeZone;
	time.follow(zone);
	expect(world.Date).toBe(Date);
	time.follow('Asia/Tokyo');
	expect(hours()).toBe(9);
	time.follow('EST5');
	expect(hours()).toBe(19);
	time.follow('Nowhere/AtAll');
	expect(hours()).toBe(0);
	time.follow(undefined);
	expect(hours()).toBe(own);
	expect(vm.runInContext('Intl.DateTimeFormat().resolvedOptions().timeZone', scope)).toBe(zone);
});
