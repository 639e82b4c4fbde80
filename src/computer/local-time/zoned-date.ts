import { type Zone, zoneOf, zoneText } from './zone.ts';

/** Globals from which a program reads local time. */
export interface TimeScope {
	Date: DateConstructor;
	Intl: { DateTimeFormat: typeof Intl.DateTimeFormat };
}

interface Followed {
	zone: Zone;
	/** Name or offset of the zone for `Intl`. */
	name: string;
}

type Method = (this: Date, ...args: never[]) => unknown;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Zones change their offset at full quarter hours. */
const QUARTER_MS = 15 * MINUTE_MS;
const MOST_KNOWN = 20_000;
const GETTERS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'] as const;
const SETTERS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds'] as const;
const LOCALE_TEXTS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

/** Date text that contains its zone, or that the language parses as UTC: a date alone. */
const HAS_ZONE = /(?:Z|[-+]\d{1,2}:?\d{2}|[-+]\d{1,4}(?= *\()|\b(?:GMT|UTC?|[ECMP][SD]T))(?: *\([^)]*\))? *$/i;
const IS_DAY = /^ *[-+]?\d{4,6}(?:-\d\d){0,2} *$/;
const IS_ISO = /^[-+]?\d{4,6}-\d\d-\d\dT[\d:.,]+$/;

/**
 * Makes `Date` and `Intl.DateTimeFormat` of a program follow `TZ`, in place, so that references obtained earlier follow
 * it as well. As long as no zone other than the browser's is requested, both stay unchanged.
 */
export class LocalTime {
	readonly #scope: TimeScope;
	readonly #native: TimeScope;
	#followed: Followed | null = null;
	#isInstalled = false;
	#offsets = new Map<number, number>();

	constructor(scope: TimeScope) {
		this.#scope = scope;
		this.#native = { Date: scope.Date, Intl: { DateTimeFormat: scope.Intl.DateTimeFormat } };
	}

	/** @param tz value of `TZ`: `Europe/Berlin`, `UTC`, `EST5EDT`; absent: the browser's zone. An unknown one is UTC */
	follow(tz: string | undefined): void {
		this.#offsets.clear();
		const isBrowsers = tz === undefined || tz.replace(/^:/, '') === this.#browserZone();
		this.#followed = isBrowsers ? null : { zone: zoneOf(tz), name: this.#nameFor(tz) };
		if (!this.#followed || this.#isInstalled) return;
		this.#isInstalled = true;
		this.#replaceMethods();
		this.#replaceDate();
		this.#replaceFormat();
	}

	/** Looked up only if `TZ` is set: it would add a millisecond to each start. */
	#browserZone(): string {
		return new this.#native.Intl.DateTimeFormat().resolvedOptions().timeZone;
	}

	/** Name of the zone for `Intl`. */
	#nameFor(tz: string): string {
		const name = tz.replace(/^:/, '') || 'UTC';
		for (const candidate of [name, zoneText(zoneOf(tz).offset(Date.now()), ':')]) {
			try {
				return new this.#native.Intl.DateTimeFormat('en', { timeZone: candidate }).resolvedOptions().timeZone;
			} catch (error) {
				if (Reflect.get(Object(error), 'name') !== 'RangeError') throw error;
			}
		}
		return 'UTC';
	}

	/** Minutes east of Greenwich. */
	#offset(ms: number, { zone }: Followed): number {
		const quarter = Math.floor(ms / QUARTER_MS);
		let offset = this.#offsets.get(quarter);
		if (offset === undefined) {
			if (this.#offsets.size >= MOST_KNOWN) this.#offsets.clear();
			this.#offsets.set(quarter, (offset = zone.offset(ms)));
		}
		return offset;
	}

	#toLocal(ms: number, followed: Followed): number {
		return Number.isNaN(ms) ? NaN : ms + this.#offset(ms, followed) * MINUTE_MS;
	}

	/**
	 * Resolves a repeated local time to the first, and a skipped one by the offset before the change: the rule of
	 * ECMAScript.
	 */
	#toUtc(local: number, followed: Followed): number {
		if (!Number.isFinite(local)) return NaN;
		const [before, after] = [-DAY_MS, DAY_MS].map((way) => this.#offset(local + way, followed)) as [number, number];
		const [first, second] = [local - before * MINUTE_MS, local - after * MINUTE_MS];
		return this.#offset(first, followed) !== before && this.#offset(second, followed) === after ? second : first;
	}

	/** @param answer computes the result of the method while a zone is followed */
	#replace(name: keyof Date, answer: (date: Date, followed: Followed, args: never[], native: Method) => unknown): void {
		const prototype = this.#native.Date.prototype;
		const native = Reflect.get(prototype, name) as Method;
		const followed = () => this.#followed;
		const value = function (this: Date, ...args: never[]): unknown {
			const now = followed();
			return now ? answer(this, now, args, native) : native.apply(this, args);
		};
		Object.defineProperty(value, 'name', { value: name, configurable: true });
		Object.defineProperty(value, 'length', { value: native.length, configurable: true });
		Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
	}

	#replaceMethods(): void {
		const { Date } = this.#native;
		for (const field of GETTERS) {
			const read = Date.prototype[`getUTC${field}`];
			this.#replace(`get${field}`, (date, followed) => read.call(new Date(this.#toLocal(date.getTime(), followed))));
		}
		for (const field of SETTERS) {
			const write = Date.prototype[`setUTC${field}`] as (...values: number[]) => number;
			this.#replace(`set${field}`, (date, followed, values) => {
				const local = new Date(this.#toLocal(date.getTime(), followed));
				// Setting a year makes an invalid date valid.
				if (field === 'FullYear' && Number.isNaN(local.getTime())) local.setTime(0);
				return date.setTime(this.#toUtc(write.apply(local, values), followed));
			});
		}
		this.#replace('getTimezoneOffset', (date, followed) => {
			const ms = date.getTime();
			return Number.isNaN(ms) ? NaN : -this.#offset(ms, followed) || 0;
		});
		for (const name of LOCALE_TEXTS) {
			this.#replace(name, (date, followed, [locales, options], native) =>
				Reflect.apply(native, date, [locales, withZone(options, followed)])
			);
		}
		this.#replace('toString', (date, followed) => this.#text(date.getTime(), 'both', followed));
		this.#replace('toDateString', (date, followed) => this.#text(date.getTime(), 'date', followed));
		this.#replace('toTimeString', (date, followed) => this.#text(date.getTime(), 'time', followed));
	}

	/** `Tue Nov 14 2023`, `17:13:20 GMT-0500 (Eastern Standard Time)`, or both. */
	#text(ms: number, part: 'both' | 'date' | 'time', followed: Followed): string {
		if (Number.isNaN(ms)) return 'Invalid Date';
		const local = new this.#native.Date(this.#toLocal(ms, followed));
		// `Tue, 14 Nov 2023 17:13:20 GMT`
		const [day = '', date, month, year, time] = local.toUTCString().split(' ');
		const days = `${day.slice(0, 3)} ${month} ${date} ${year}`;
		if (part === 'date') return days;
		const zone = this.#zoneName(ms, followed);
		const clock = `${time} GMT${zoneText(this.#offset(ms, followed), '')} (${zone})`;
		return part === 'time' ? clock : `${days} ${clock}`;
	}

	/** Long name: the one that the zone currently has for this time of the year, as in V8. */
	#zoneName(ms: number, followed: Followed): string {
		const { Date, Intl } = this.#native;
		const offset = (at: number) => this.#offset(at, followed);
		const seasons = (year: number) => [Date.UTC(year, 0), Date.UTC(year, 6)] as const;
		const year = (at: number) => new Date(at).getUTCFullYear();
		const isSummer = (at: number) => offset(at) > Math.min(...seasons(year(at)).map(offset));
		const now = seasons(year(Date.now())).find((at) => isSummer(at) === isSummer(ms)) ?? ms;
		const format = new Intl.DateTimeFormat('en-US', { timeZone: followed.name, timeZoneName: 'long' });
		return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
	}

	#parse(text: string, followed: Followed): number {
		const { Date } = this.#native;
		if (HAS_ZONE.test(text) || IS_DAY.test(text)) return Date.parse(text);
		return this.#toUtc(Date.parse(IS_ISO.test(text.trim()) ? `${text.trim()}Z` : `${text} UTC`), followed);
	}

	/** Arguments of the native constructor that result in the same time. */
	#timeOf(args: readonly unknown[], followed: Followed): unknown[] {
		const { Date } = this.#native;
		if (args.length > 1) {
			const [year, month, ...rest] = args as [number, number, ...number[]];
			return [this.#toUtc(Date.UTC(year, month, ...rest), followed)];
		}
		const [value] = args;
		const plain = typeof value === 'object' && value !== null && !(value instanceof Date) ? toPrimitive(value) : value;
		return [typeof plain === 'string' ? this.#parse(plain, followed) : plain];
	}

	#replaceDate(): void {
		const { Date } = this.#native;
		const timeOf = (args: unknown[]) => (this.#followed && args.length > 0 ? this.#timeOf(args, this.#followed) : args);
		const ZonedDate = function (this: unknown, ...args: unknown[]): unknown {
			if (new.target === undefined) return new Date().toString();
			return Reflect.construct(Date, timeOf(args), new.target);
		};
		const parse = (text: unknown): number =>
			this.#followed ? this.#parse(String(text), this.#followed) : Date.parse(String(text));
		takeOver(ZonedDate, Date, { parse });
		Object.defineProperty(Date.prototype, 'constructor', { value: ZonedDate, writable: true, configurable: true });
		this.#scope.Date = ZonedDate as unknown as DateConstructor;
	}

	#replaceFormat(): void {
		const { DateTimeFormat } = this.#native.Intl;
		const zoned = (options?: Intl.DateTimeFormatOptions) =>
			this.#followed ? withZone(options, this.#followed) : options;
		const ZonedFormat = function (locales?: string, options?: Intl.DateTimeFormatOptions): unknown {
			return Reflect.construct(DateTimeFormat, [locales, zoned(options)], new.target ?? ZonedFormat);
		};
		takeOver(ZonedFormat, DateTimeFormat, {});
		const constructor = { value: ZonedFormat, writable: true, configurable: true };
		Object.defineProperty(DateTimeFormat.prototype, 'constructor', constructor);
		this.#scope.Intl.DateTimeFormat = ZonedFormat as unknown as typeof Intl.DateTimeFormat;
	}
}

function withZone(options: Intl.DateTimeFormatOptions | undefined, { name }: Followed): Intl.DateTimeFormatOptions {
	return options?.timeZone === undefined ? { ...options, timeZone: name } : options;
}

/** Converts an object to a primitive by the rule for dates: with its default hint. */
function toPrimitive(value: object): unknown {
	const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
	if (typeof convert === 'function') return Reflect.apply(convert, value, ['default']);
	const own: unknown = value.valueOf();
	return typeof own === 'object' ? String(value) : own;
}

/** Copies the prototype and properties of the constructor to the function that replaces it. */
function takeOver(replacement: object, native: object, changed: Record<string, unknown>): void {
	for (const key of Reflect.ownKeys(native)) {
		const descriptor = Reflect.getOwnPropertyDescriptor(native, key);
		if (!descriptor) continue;
		const value = typeof key === 'string' ? changed[key] : undefined;
		Object.defineProperty(replacement, key, value ? { ...descriptor, value } : descriptor);
	}
}
