import { decode } from '#computer/process/text.ts';
import { utility } from '../options.ts';

const REFERENCE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/**
 * `envsubst`: replaces `$NAME` and `${NAME}` with environment variables; only those named by its argument, if given.
 */
export const envsubst = utility('v|variables V|version h|help', async (call, options) => {
	const [format] = options.operands;
	const named = (text: string) => [...text.matchAll(REFERENCE)].map(([, plain, braced]) => plain ?? braced ?? '');
	if (options.has('v')) {
		for (const name of named(format ?? '')) await call.out(`${name}\n`);
		return 0;
	}
	const wanted = format === undefined ? null : new Set(named(format));
	const environment = call.shell.environment();
	const text = decode(await call.shell.control.race(call.shell.descriptors.require(0).readAll()));
	await call.out(
		text.replace(REFERENCE, (whole, plain: string | undefined, braced: string | undefined) => {
			const name = plain ?? braced ?? '';
			return wanted && !wanted.has(name) ? whole : (environment[name] ?? '');
		})
	);
	return 0;
});
