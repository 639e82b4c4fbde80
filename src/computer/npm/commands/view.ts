import { inspect } from 'node-inspect-extracted';
import compare from 'semver/functions/compare.js';
import satisfies from 'semver/functions/satisfies.js';
import { z } from 'zod';
import type { ProcessContext } from '#computer/process/program.ts';
import { NpmError } from '../errors.ts';
import { findManifest } from '../manifest.ts';
import type { Output } from '../output.ts';
import { type Packument, type PublishedManifest, publishedShape } from '../registry/packument.ts';
import type { Registry } from '../registry/registry.ts';
import { parseArgument, parseSpec } from '../registry/spec.ts';
import { type FieldValue, fieldValues } from './view-fields.ts';

const LOOSE = { loose: true };
/** Maximum number of dependencies in a summary. */
const NAMED = 24;

const personShape = z.strictObject({ name: z.string(), email: z.string().optional(), url: z.string().optional() });

interface Viewed {
	manifest: PublishedManifest;
	/** The published manifest, with tags, times and other versions. */
	data: Record<string, unknown>;
}

/** `npm view [package[@range]] [field…] [--json]`; without a package, of the current project. @returns the exit code */
export async function viewCommand(
	{ context, output, registry }: { context: ProcessContext; output: Output; registry: Registry },
	project: string,
	words: string[],
	flags: string[]
): Promise<number> {
	const [argument = '.', ...fields] = words;
	const { name, range } = argument === '.' ? { name: ownName(context, project), range: '' } : parseArgument(argument);
	const packument = await registry.packument(name, true);
	const versions = fittingVersions(packument, range).map((version) => viewed(packument, version));
	if (flags.includes('--json')) output.print(...json(versions, fields));
	else if (fields.length > 0) output.print(...texts(versions, fields));
	else output.print(...versions.flatMap((version) => summary(packument, version)));
	return 0;
}

function ownName(context: ProcessContext, project: string): string {
	const { name } = findManifest(context.sync, project);
	if (!name) throw new NpmError('EUSAGE', 'package.json has no name. Say which package: npm view <package> [field]');
	return name;
}

/** All versions that match a range, in the registry's order, or the version of a tag. @throws NpmError E404 */
function fittingVersions(packument: Packument, range: string): string[] {
	const { name, versions } = packument;
	const spec = parseSpec(name, range || 'latest');
	const tagged = spec.kind === 'tag' ? packument['dist-tags'][spec.tag] : undefined;
	const found = Object.keys(versions).filter((version) =>
		spec.kind === 'range' ? satisfies(version, spec.range, LOOSE) : version === tagged
	);
	if (found.length === 0)
		throw new NpmError(
			'E404',
			`No match found for version ${range}`,
			'',
			` The requested resource '${name}@${range}' could not be found.`,
			'',
			`See what there is: npm view ${name} versions`
		);
	return found;
}

function viewed(packument: Packument, version: string): Viewed {
	const published: unknown = packument.versions[version];
	const parsed = publishedShape.safeParse(published);
	if (!parsed.success)
		throw new NpmError('EINVALIDPACKUMENT', `The registry's ${packument.name}@${version} is no package.`);
	const data = {
		...Object(published),
		'dist-tags': packument['dist-tags'],
		versions: Object.keys(packument.versions).sort((a, b) => compare(a, b, LOOSE)),
		time: packument.time
	};
	return { manifest: { ...parsed.data, name: packument.name, version }, data };
}

/**
 * Formats a plain value if one field of one version was requested, otherwise objects of fields, in a list for several
 * versions.
 */
function json(versions: readonly Viewed[], fields: readonly string[]): string[] {
	const answers = versions.map(({ data }) => {
		if (fields.length === 0) return data;
		const found = valuesOf(data, fields, false);
		return fields.length === 1 && found.length === 1
			? found[0]?.[1]
			: found.length > 0
				? Object.fromEntries(found)
				: undefined;
	});
	const known = answers.filter((answer) => answer !== undefined);
	if (known.length === 0) return [];
	return [JSON.stringify(known.length === 1 ? known[0] : known, null, 2)];
}

function texts(versions: readonly Viewed[], fields: readonly string[]): string[] {
	const isOne = versions.length === 1;
	return versions.flatMap(({ manifest: { name, version }, data }) => {
		const values = valuesOf(data, fields, true);
		const isSole = values.length === 1;
		return values.map(([path, value]) => {
			const isBare = isOne && isSole && typeof value === 'string';
			const text = isBare ? value : inspect(value, { depth: 5, maxArrayLength: null });
			return `${isOne ? '' : `${name}@${version} `}${isSole ? '' : `${path} = `}${text}`;
		});
	});
}

const valuesOf = (data: unknown, fields: readonly string[], joins: boolean): FieldValue[] =>
	fields.flatMap((field) => fieldValues(data, field, joins)).map(([path, value]): FieldValue => [path, inWords(value)]);

/** Formats people as one line, a form package.json also allows. */
function inWords(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inWords);
	const person = personShape.safeParse(value);
	if (!person.success) return value;
	const { name, email, url } = person.data;
	return [name, ...(email ? [`<${email}>`] : []), ...(url ? [`(${url})`] : [])].join(' ');
}

function summary(packument: Packument, { manifest, data }: Viewed): string[] {
	const dependencies = Object.entries(manifest.dependencies ?? {});
	const bins = typeof manifest.bin === 'string' ? [manifest.name] : Object.keys(manifest.bin ?? {});
	const count = Object.keys(packument.versions).length;
	const { tarball, shasum, integrity } = manifest.dist;
	return [
		'',
		`${manifest.name}@${manifest.version} | ${manifest.license ?? 'Proprietary'} | deps: ${dependencies.length || 'none'} | versions: ${count}`,
		...[data['description'], data['homepage']].filter((line) => typeof line === 'string'),
		...(manifest.deprecated ? ['', `DEPRECATED!! - ${manifest.deprecated}`] : []),
		...(bins.length > 0 ? ['', `bin: ${bins.join(', ')}`] : []),
		'',
		'dist',
		`.tarball: ${tarball}`,
		...(shasum ? [`.shasum: ${shasum}`] : []),
		...(integrity ? [`.integrity: ${integrity}`] : []),
		...(dependencies.length > 0 ? ['', 'dependencies:', ...listed(dependencies)] : []),
		'',
		'dist-tags:',
		...Object.entries(packument['dist-tags']).map(([tag, version]) => `${tag}: ${version}`)
	];
}

function listed(dependencies: readonly [string, string][]): string[] {
	const more = dependencies.length - NAMED;
	const named = dependencies.slice(0, NAMED).map(([name, range]) => `${name}: ${range}`);
	return [named.join(', '), ...(more > 0 ? [`(...and ${more} more.)`] : [])];
}
