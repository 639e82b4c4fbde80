import { type Zone, zoneOf, zoneText } from './zone.ts';

/** What a program reads local time from. */
export interface TimeScope {
	Date: DateConstructor;
	Intl: { DateTimeFormat: typeof Intl.DateTimeFormat };
}

interface Followed {
	zone: Zone;
	/** Name or offset of the zone for `Intl`. */
	name: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Zones change their offset at full quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const MOST_KNOWN = 20_000;
const GETTERS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'] as const;
const SETTERS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds'] as const;
const LOCALE_TEXTS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

/** A text that names its zone, or that the language reads as UTC: a date alone. */
const HAS_ZONE = /(?:Z|[-+]\d{1,2}:?\d{2}|[-+]\d{1,4}(?= *\()|\b(?:GMT|UTC?|[ECMP][SD]T))(?: *\([^)]*\))? *$/i;
const IS_DAY = /^ *[-+]?\d{4,6}(?:-\d\d){0,2} *$/;
const IS_ISO = /^[-+]?\d{4,6}-\d\d-\d\dT[\d:.,]+$/;

/**
 * Makes `Date` and `Intl.DateTimeFormat` of a program follow `TZ`, in place, so that what was taken from them before
 * follows as well. As long as no zone but the browser's was asked for, both stay as they are.
 */
export class LocalTime {
	readonly #scope: TimeScope;
	readonly #native: TimeScope;
	readonly #browserZone: string;
	#followed: Followed | null = null;
	#isInstalled = false;
	#offsets = new Map<number, number>();

	constructor(scope: TimeScope) {
		this.#scope = scope;
		this.#native = { Date: scope.Date, Intl: { DateTimeFormat: scope.Intl.DateTimeFormat } };
		this.#browserZone = new scope.Intl.DateTimeFormat().resolvedOptions().timeZone;
	}

	/** @param tz value of `TZ`: `Europe/Berlin`, `UTC`, `EST5EDT`; absent: the browser's zone. An unknown one is UTC */
	follow(tz: string | undefined): void {
		this.#offsets.clear();
		const isBrowsers = tz === undefined || tz.replace(/^:/, '') === this.#browserZone;
		this.#followed = isBrowsers ? null : { zone: zoneOf(tz), name: this.#nameFor(tz) };
		if (!this.#followed || this.#isInstalled) return;
		this.#isInstalled = true;
		this.#replaceMethods();
		this.#replaceDate();
		this.#replaceFormat();
	}

	/** The zone as `Intl` knows it. */
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

	/** Takes the first of two times, and a time that a change left out by the offset before it: the rule of ECMAScript. */
	#toUtc(local: number, followed: Followed): number {
		if (!Number.isFinite(local)) return NaN;
		const [before, after] = [-DAY_MS, DAY_MS].map((way) => this.#offset(local + way, followed)) as [number, number];
		const [first, second] = [local - before * MINUTE_MS, local - after * MINUTE_MS];
		return this.#offset(first, followed) !== before && this.#offset(second, followed) === after ? second : first;
	}

	#replaceMethods(): void {
		const { Date } = this.#native;
		const own = Date.prototype;
		const replace = <Name extends keyof Date>(name: Name, make: (native: Function) => Function) => {
			const native = own[name] as Function;
			const value = make(native);
			Object.defineProperty(value, 'name', { value: name, configurable: true });
			Object.defineProperty(value, 'length', { value: native.length, configurable: true });
			Object.defineProperty(own, name, { value, writable: true, configurable: true });
		};
		const self = this;
		for (const field of GETTERS) {
			const read = own[`getUTC${field}`];
			replace(
				`get${field}`,
				(native) =>
					function (this: Date) {
						const followed = self.#followed;
						return followed ? read.call(new Date(self.#toLocal(this.getTime(), followed))) : native.call(this);
					}
			);
		}
		for (const field of SETTERS) {
			const write = own[`setUTC${field}`] as (...values: number[]) => number;
			replace(
				`set${field}`,
				(native) =>
					function (this: Date, ...values: number[]) {
						const followed = self.#followed;
						if (!followed) return native.apply(this, values);
						const local = new Date(self.#toLocal(this.getTime(), followed));
						// A year makes a date out of none.
						if (field === 'FullYear' && Number.isNaN(local.getTime())) local.setTime(0);
						return this.setTime(self.#toUtc(write.apply(local, values), followed));
					}
			);
		}
		replace(
			'getTimezoneOffset',
			(native) =>
				function (this: Date) {
					const followed = self.#followed;
					if (!followed) return native.call(this);
					const ms = this.getTime();
					return Number.isNaN(ms) ? NaN : -self.#offset(ms, followed) || 0;
				}
		);
		for (const name of LOCALE_TEXTS) {
			replace(
				name,
				(native) =>
					function (this: Date, locales?: string, options?: Intl.DateTimeFormatOptions) {
						const followed = self.#followed;
						return native.call(this, locales, followed ? withZone(options, followed) : options);
					}
			);
		}
		const texts = { toString: 'both', toDateString: 'date', toTimeString: 'time' } as const;
		for (const [name, part] of Object.entries(texts) as [keyof typeof texts, 'both' | 'date' | 'time'][]) {
			replace(
				name,
				(native) =>
					function (this: Date) {
						const followed = self.#followed;
						return followed ? self.#text(this.getTime(), part, followed) : native.call(this);
					}
			);
		}
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

	/** The long name: that which the zone has today, for the time of the year, as V8 does it. */
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

	#replaceDate(): void {
		const { Date } = this.#native;
		const self = this;
		const construct = (args: unknown[], followed: Followed): unknown[] => {
			if (args.length > 1) {
				const [year, month, ...rest] = args as [number, number, ...number[]];
				return [self.#toUtc(Date.UTC(year, month, ...rest), followed)];
			}
			const [value] = args;
			if (typeof value === 'string') return [self.#parse(value, followed)];
			if (typeof value !== 'object' || value === null || value instanceof Date) return args;
			const primitive = toPrimitive(value);
			return [typeof primitive === 'string' ? self.#parse(primitive, followed) : primitive];
		};
		const ZonedDate = function (this: unknown, ...args: unknown[]): unknown {
			if (new.target === undefined) return new Date().toString();
			const followed = self.#followed;
			return Reflect.construct(Date, followed && args.length > 0 ? construct(args, followed) : args, new.target);
		};
		const parse = function (text: unknown): number {
			return self.#followed ? self.#parse(String(text), self.#followed) : Date.parse(String(text));
		};
		takeOver(ZonedDate, Date, { parse });
		Object.defineProperty(Date.prototype, 'constructor', { value: ZonedDate, writable: true, configurable: true });
		this.#scope.Date = ZonedDate as unknown as DateConstructor;
	}

	#replaceFormat(): void {
		const { DateTimeFormat } = this.#native.Intl;
		const self = this;
		const ZonedFormat = function (locales?: string, options?: Intl.DateTimeFormatOptions): unknown {
			const followed = self.#followed;
			const args = [locales, followed ? withZone(options, followed) : options];
			return Reflect.construct(DateTimeFormat, args, new.target ?? ZonedFormat);
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

/** Conversion of an object by the rule for dates: its default hint. */
function toPrimitive(value: object): unknown {
	const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
	if (typeof convert === 'function') return convert.call(value, 'default');
	const own = value.valueOf();
	return typeof own === 'object' ? String(value) : own;
}

/** Gives a function the properties of the constructor that it replaces, and its prototype. */
function takeOver(replacement: Function, native: Function, changed: Record<string, Function>): void {
	for (const key of Reflect.ownKeys(native)) {
		const descriptor = Reflect.getOwnPropertyDescriptor(native, key);
		if (!descriptor) continue;
		const value = typeof key === 'string' ? changed[key] : undefined;
		Object.defineProperty(replacement, key, value ? { ...descriptor, value } : descriptor);
	}
}
