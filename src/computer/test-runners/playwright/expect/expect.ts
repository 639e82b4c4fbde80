import * as asymmetric from '@vitest/expect';
import { Locator } from '../browser/locator.ts';
import { notThere } from '../browser/not-there.ts';
import { APIResponse } from '../browser/request-context.ts';
import { placeError } from '../browser/api-call.ts';
import { Page } from '../browser/page.ts';
import { pause } from '../browser/patience.ts';
import type { Session } from '../browser/session.ts';
import type { UrlPattern } from '../browser/url-pattern.ts';
import { checkPage, checkUrl, type Patient } from './check-page.ts';
import { locatorMatchers, pageMatchers, type PageMatcher } from './page-matchers.ts';
import { valueMatchers, type Verdict } from './value-matchers.ts';

const DEFAULT_MS = 5_000;
const POLL_MS = [100, 250, 500, 1_000];

/** A matcher of `expect.extend`. */
type OwnMatcher = (this: object, received: unknown, ...expected: unknown[]) => OwnVerdict | Promise<OwnVerdict>;
interface OwnVerdict {
	pass: boolean;
	message(): string;
}

/** Environment shared by all assertions of a run. */
export interface ExpectWorld {
	session: Session;
	baseURL(): string | undefined;
	/** `expect: { timeout }` of the configuration. */
	timeoutMs(): number | undefined;
}

interface Options {
	message?: string | undefined;
	timeout?: number | undefined;
	isSoft?: boolean | undefined;
	intervals?: number[] | undefined;
}

type Assertion = Record<string, unknown>;
type PatientMatcher = (...expected: never[]) => PageMatcher;

/** Creates Playwright's `expect`. */
export class Expectations {
	readonly #own = new Map<string, OwnMatcher>();

	constructor(private readonly world: ExpectWorld) {}

	/** Creates `expect` with these options for all its assertions. */
	create(options: Options = {}): object {
		const call = (received: unknown, given: string | Options = {}): Assertion =>
			this.#assertion(received, { ...options, ...(typeof given === 'string' ? { message: given } : given) });
		const soft = (received: unknown, given: string | Options = {}): Assertion =>
			call(received, { ...(typeof given === 'string' ? { message: given } : given), isSoft: true });
		const poll = (work: () => unknown, given: string | Options = {}): Assertion =>
			this.#polling(work, { ...options, ...(typeof given === 'string' ? { message: given } : given) });
		const containing = (name: string, make: (value: never) => unknown) => [name, make] as const;
		const matchers = Object.fromEntries([
			containing('any', (type: never) => new asymmetric.Any(type)),
			containing('anything', () => new asymmetric.Anything()),
			containing('arrayContaining', (items: never) => new asymmetric.ArrayContaining(items)),
			containing('objectContaining', (items: never) => new asymmetric.ObjectContaining(items)),
			containing('stringContaining', (text: never) => new asymmetric.StringContaining(text)),
			containing('stringMatching', (text: never) => new asymmetric.StringMatching(text))
		]);
		return Object.assign(call, matchers, {
			soft,
			poll,
			configure: ({ soft: isSoft, ...more }: Options & { soft?: boolean }) =>
				this.create({ ...options, ...more, isSoft }),
			extend: (given: Record<string, OwnMatcher>) => {
				for (const [name, matcher] of Object.entries(given)) this.#own.set(name, matcher);
				return call;
			}
		});
	}

	#assertion(received: unknown, options: Options, isNot = false): Assertion {
		const made: Assertion = {};
		const add = (name: string, check: (...expected: never[]) => unknown): void => {
			made[name] = (...expected: never[]) => this.#run(options, () => check(...expected));
		};
		for (const name of Object.keys(valueMatchers))
			add(name, (...expected) => this.#value(name, received, isNot, expected));
		if (received instanceof Locator || received instanceof Page) this.#addPatient(add, received, isNot, options);
		if (received instanceof APIResponse)
			add('toBeOK', () =>
				verdictMessage('response', 'toBeOK', [], isNot, {
					pass: received.ok(),
					details: `Response status: ${received.status()}`
				})
			);
		for (const [name, matcher] of this.#own)
			add(name, (...expected) => this.#ownVerdict(matcher, received, isNot, expected));
		if (typeof received === 'function')
			add('toPass', (given: Options = {}) => this.#toPass(received as () => unknown, given, isNot));
		if (!isNot) Object.defineProperty(made, 'not', { get: () => this.#assertion(received, options, true) });
		for (const way of ['resolves', 'rejects'] as const)
			Object.defineProperty(made, way, { get: () => this.#settled(received, options, isNot, way) });
		return new Proxy(made, {
			get(target, key) {
				if (key in target || typeof key === 'symbol' || key === 'then') return Reflect.get(target, key) as unknown;
				throw notThere(`expect().${key}()`);
			}
		});
	}

	#addPatient(
		add: (name: string, check: (...expected: never[]) => unknown) => void,
		on: Locator | Page,
		isNot: boolean,
		options: Options
	): void {
		const isPage = on instanceof Page;
		const matchers: Record<string, PatientMatcher> = isPage ? pageMatchers : locatorMatchers;
		for (const [name, matcher] of Object.entries(matchers))
			add(name, (...expected) => {
				const made = matcher(...expected);
				return checkPage(
					on,
					isPage ? '' : on.toString(),
					made,
					this.#patient(name, isNot, made.timeout ?? options.timeout)
				);
			});
		if (isPage)
			add('toHaveURL', (expected: UrlPattern, given: Options = {}) =>
				checkUrl(
					on,
					expected,
					this.world.baseURL(),
					this.#patient('toHaveURL', isNot, given.timeout ?? options.timeout)
				)
			);
	}

	#patient(name: string, isNot: boolean, timeout: number | undefined): Patient {
		const wanted = timeout ?? this.world.timeoutMs() ?? DEFAULT_MS;
		const { atMs } = this.world.session.deadline(wanted);
		return { name, isNot, atMs, timeoutMs: wanted };
	}

	#value(name: string, received: unknown, isNot: boolean, expected: never[]): string | null {
		const matcher = valueMatchers[name];
		if (!matcher) throw notThere(`expect().${name}()`);
		return verdictMessage('received', name, expected, isNot, matcher(received, isNot, ...expected));
	}

	async #ownVerdict(
		matcher: OwnMatcher,
		received: unknown,
		isNot: boolean,
		expected: unknown[]
	): Promise<string | null> {
		const verdict = await matcher.call({ isNot, equals: asymmetric.equals }, received, ...expected);
		return verdict.pass !== isNot ? null : verdict.message();
	}

	/** Throws the message of a failed check, or stores it until the test has ended. */
	#run(options: Options, check: () => unknown, trace = new Error('asserted here')): unknown {
		const finish = (message: unknown): void => {
			if (typeof message !== 'string') return;
			const error = placeError(
				new Error(options.message ? `${options.message}\n\n${message}` : message),
				trace
			) as Error;
			if (!options.isSoft) throw error;
			this.world.session.clock.fail(error);
		};
		const result = check();
		return result instanceof Promise ? result.then(finish) : finish(result);
	}

	#settled(received: unknown, options: Options, isNot: boolean, way: 'resolves' | 'rejects'): Assertion {
		const settle = async (): Promise<unknown> => {
			const promise: unknown = typeof received === 'function' ? received() : received;
			try {
				const value = await promise;
				if (way === 'resolves') return value;
			} catch (error) {
				if (way === 'rejects') return error;
				throw new Error(`expect(received).resolves: the promise was rejected: ${String(error)}`);
			}
			throw new Error('expect(received).rejects: the promise was resolved');
		};
		return new Proxy(
			{},
			{
				get: (_, key) =>
					key === 'not'
						? this.#settled(received, options, !isNot, way)
						: async (...expected: unknown[]) => {
								const matcher = this.#assertion(await settle(), options, isNot)[String(key)];
								return (matcher as (...given: unknown[]) => unknown)(...expected);
							}
			}
		);
	}

	#polling(work: () => unknown, options: Options, isNot = false): Assertion {
		const trace = new Error('asserted here');
		return new Proxy(
			{},
			{
				get: (_, key) => {
					if (key === 'not') return this.#polling(work, options, true);
					return async (...expected: never[]) => {
						const { atMs, timeoutMs } = this.#patient(String(key), isNot, options.timeout);
						const message = await again(atMs, options.intervals, async () =>
							this.#value(String(key), await work(), isNot, expected)
						);
						if (message === null) return;
						const full = `${message}\n\nCall Log:\n- Timeout ${timeoutMs}ms exceeded while waiting on the predicate`;
						this.#run(options, () => full, trace);
					};
				}
			}
		);
	}

	async #toPass(work: () => unknown, { timeout, intervals }: Options, isNot: boolean): Promise<string | null> {
		const { atMs } = this.world.session.deadline(timeout);
		const message = await again(atMs, intervals, async () => {
			try {
				await work();
				return isNot ? 'expect(function).not.toPass() failed' : null;
			} catch (error) {
				return isNot ? null : error instanceof Error ? error.message : String(error);
			}
		});
		if (message === null) return null;
		return `${message}\n\nCall Log:\n- Timeout ${timeout ?? this.world.session.clock.timeoutMs()}ms exceeded while waiting on the predicate`;
	}
}

async function again(
	atMs: number,
	pauses: number[] = POLL_MS,
	check: () => Promise<string | null>
): Promise<string | null> {
	for (let count = 0; ; count++) {
		const message = await check();
		const left = atMs - performance.now();
		if (message === null || left <= 0) return message;
		await pause(Math.min(left, pauses[Math.min(count, pauses.length - 1)] ?? 1_000));
	}
}

function verdictMessage(
	received: string,
	name: string,
	expected: unknown[],
	isNot: boolean,
	verdict: Verdict
): string | null {
	if (verdict.pass !== isNot) return null;
	const argument = expected.length === 0 ? '' : 'expected';
	const comment = verdict.comment ? ` ${verdict.comment}` : '';
	return `expect(${received})${isNot ? '.not' : ''}.${name}(${argument})${comment}\n\n${verdict.details}`;
}
