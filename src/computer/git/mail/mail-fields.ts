import type { Config } from '../config/config.ts';
import type { Options } from '../options.ts';

/** Options for recipients and additional header fields. */
export const FIELD_OPTIONS = {
	to: '--to =',
	noTo: '--no-to',
	cc: '--cc =',
	noCc: '--no-cc',
	header: '--add-header =',
	noHeader: '--no-add-header'
};

/** `To`, `Cc` and others, from settings and options: an option `--no-…` discards the values before it. */
export function mailFields(config: Config, options: Options<keyof typeof FIELD_OPTIONS>): string {
	let [to, cc, others] = [[...config.values('format.to')], [...config.values('format.cc')], [] as string[]];
	const addField = (text: string): void => {
		const field = text.replace(/\n+$/, '');
		const [, name, value = ''] = /^(to|cc): *(.*)$/is.exec(field) ?? [];
		if (name === undefined) others.push(field);
		else (name.toLowerCase() === 'to' ? to : cc).push(value);
	};
	for (const text of config.values('format.headers')) addField(text);
	for (const { name, value } of options.inOrder('to', 'noTo', 'cc', 'noCc', 'header', 'noHeader')) {
		if (name === 'to') to.push(value);
		else if (name === 'cc') cc.push(value);
		else if (name === 'header') addField(value);
		else if (name === 'noTo') to = [];
		else if (name === 'noCc') cc = [];
		else [to, cc, others] = [[], [], []];
	}
	const list = (name: string, all: readonly string[]) =>
		all.length === 0 ? '' : `${name}: ${all.join(`,\n${' '.repeat(name.length + 2)}`)}\n`;
	return others.map((field) => `${field}\n`).join('') + list('To', to) + list('Cc', cc);
}
