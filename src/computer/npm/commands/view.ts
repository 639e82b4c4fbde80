import type { Output } from '../output.ts';
import { NpmError } from '../errors.ts';
import { pickVersion } from '../registry/pick.ts';
import type { Registry } from '../registry/registry.ts';
import { parseArgument, parseSpec } from '../registry/spec.ts';

/** `npm view package[@range] [field…] [--json]`. @returns the exit code */
export async function viewCommand(
	registry: Registry,
	output: Output,
	words: string[],
	flags: string[]
): Promise<number> {
	const [argument, ...fields] = words;
	if (argument === undefined) throw new NpmError('EUSAGE', 'Say which package: npm view <package> [field]');
	const { name, range } = parseArgument(argument);
	const packument = await registry.packument(name, true);
	const chosen = pickVersion(packument, parseSpec(name, range || 'latest'));
	const published: unknown = packument.versions[chosen.version];
	const whole: Record<string, unknown> = {
		...Object(published),
		'dist-tags': packument['dist-tags'],
		versions: Object.keys(packument.versions),
		time: packument.time
	};
	const json = flags.includes('--json');
	if (fields.length > 0) {
		const values = fields.map((field) => [field, at(whole, field)] as const).filter(([, value]) => value !== undefined);
		for (const [field, value] of values) {
			const text = typeof value === 'string' && !json ? value : JSON.stringify(value, null, 2);
			output.print(fields.length > 1 ? `${field} = ${typeof value === 'string' ? `'${value}'` : text}` : text);
		}
		return 0;
	}
	if (json) {
		output.print(JSON.stringify(whole, null, 2));
		return 0;
	}
	const dependencies = Object.entries(chosen.dependencies ?? {});
	const bins = typeof chosen.bin === 'string' ? [chosen.name] : Object.keys(chosen.bin ?? {});
	output.print(
		'',
		`${chosen.name}@${chosen.version} | ${chosen.license ?? 'no licence named'} | deps: ${dependencies.length || 'none'} | versions: ${Object.keys(packument.versions).length}`,
		...[at(whole, 'description'), at(whole, 'homepage')].filter((line) => typeof line === 'string'),
		...(chosen.deprecated ? ['', `DEPRECATED - ${chosen.deprecated}`] : []),
		...(bins.length > 0 ? ['', `bin: ${bins.join(', ')}`] : []),
		'',
		'dist',
		`.tarball: ${chosen.dist.tarball}`,
		...(chosen.dist.integrity ? [`.integrity: ${chosen.dist.integrity}`] : []),
		...(dependencies.length > 0
			? ['', 'dependencies:', ...dependencies.map(([key, value]) => `${key}: ${value}`)]
			: []),
		'',
		'dist-tags:',
		...Object.entries(packument['dist-tags']).map(([tag, version]) => `${tag}: ${version}`)
	);
	return 0;
}

function at(value: unknown, field: string): unknown {
	return field.split('.').reduce<unknown>((within, key) => Reflect.get(Object(within), key), value);
}
