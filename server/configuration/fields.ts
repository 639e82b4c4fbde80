import { z } from 'zod';

/** `host` or `host:port`, lower case; a missing port means the scheme's default (or, for `Host` values, any). */
export const hostEntry = z
	.string()
	.toLowerCase()
	.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, 'must be a list of host or host:port, separated by commas');

const splitList = (value: string): string[] =>
	value
		.split(/[\s,]+/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');

/** A comma-separated list; unset is the empty list. */
export const list = <T extends z.ZodType<string, string>>(entry: T) =>
	z.string().default('').transform(splitList).pipe(z.array(entry));

/** An http(s) address without credentials; the trailing slash is removed. */
export const address = z.string().transform((value, context) => {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
		context.addIssue({ code: 'custom', message: 'must be an http:// or https:// address' });
	else if (url.username !== '' || url.password !== '')
		context.addIssue({ code: 'custom', message: 'must not contain a user name or password' });
	else if (url.search !== '' || url.hash !== '')
		context.addIssue({ code: 'custom', message: 'must not contain a query or fragment' });
	else return url.href.replace(/\/+$/, '');
	return z.NEVER;
});

/** An origin, optionally with `*.` before its host for one name per session and server; `off` disables it. */
export const previewOriginField = z.string().transform((value, context) => {
	if (value === 'off') return value;
	if (/^https?:\/\/(\*\.)?[a-z0-9][a-z0-9.-]*(:\d{1,5})?\/?$/i.test(value))
		return value.toLowerCase().replace(/\/$/, '');
	context.addIssue({ code: 'custom', message: 'must be an origin such as https://*.preview.example.org, or off' });
	return z.NEVER;
});

/** Sent as a header, so only visible ASCII: a pasted line break would break the request. */
export const secret = z
	.string()
	.regex(/^[\x21-\x7e]+$/, 'must be one word of visible ASCII characters, without spaces');

export const onOff = z
	.enum(['0', '1'], { error: 'must be 1 (on) or 0 (off)' })
	.default('0')
	.transform((value) => value === '1');

export const port = z
	.string()
	.default('5173')
	.refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'must be a number from 0 to 65535')
	.transform(Number);

/** Number of our own proxies in front of the server. */
export const hops = z
	.string()
	.default('0')
	.refine((value) => /^\d$/.test(value), 'must be the number of proxies in front, from 0 to 9')
	.transform(Number);

/** An amount of US dollars, such as `5` or `0.25`. */
export const dollars = z
	.string()
	.refine(
		(value) => /^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) > 0,
		'must be an amount in dollars, such as 5 or 0.25'
	)
	.transform(Number)
	.optional();

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A size such as `512m` or `4g`, in bytes. */
export const bytes = (standard: string) =>
	z
		.string()
		.default(standard)
		.transform((value, context) => {
			const [, amount = '', unit = ''] = /^(\d{1,15})([kmg]?)b?$/i.exec(value) ?? [];
			const size = Number(amount) * (UNITS[unit.toLowerCase()] ?? 1);
			if (size > 0) return size;
			context.addIssue({ code: 'custom', message: 'must be a size such as 512m or 4g' });
			return z.NEVER;
		});

/** A whole number within limits. */
export const whole = (standard: number, min: number, max: number) =>
	z
		.string()
		.default(String(standard))
		.refine(
			(value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
			`must be a number from ${min} to ${max}`
		)
		.transform(Number);
