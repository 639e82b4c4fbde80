import type { ExecutionEnvironment } from '#environment/contract.ts';
import { shellWord } from '#environment/shell-word.ts';

/** Directory of bundles and staged sources: outside the project, so that a preview does not change it. */
export const OUTPUT = '/tmp/sandglass-preview';
const TIMEOUT_MS = 120_000;

const AS_ADDRESS = 'png jpg jpeg gif webp avif ico bmp svg woff woff2 ttf otf eot mp3 wav ogg mp4 webm pdf'.split(' ');
const AS_TEXT = ['txt', 'md', 'glsl', 'vert', 'frag', 'html'];

/** Packages that indicate that a project uses Sass; `staging` compiles it with the first one. */
const SASS = ['sass', 'sass-embedded', 'node-sass'];
const SASS_LOADERS = ['scss', 'sass'].flatMap((ending) => [
	`--loader:.${ending}=css`,
	`--loader:.module.${ending}=local-css`
]);

export interface BundleEntry {
	/** Output name, without an extension. */
	name: string;
	/** Relative to the working directory of the bundle. */
	path: string;
}

export interface BundleOptions {
	/** Absolute; entries and sources are named relative to it. */
	root: string;
	/** Packages and frameworks in the project's package.json. */
	packages: ReadonlySet<string>;
	/** Aliases for files of the project, as in an import map. */
	aliases?: Readonly<Record<string, string>>;
	/** Imports to leave unchanged in the output. */
	external?: readonly string[];
}

/** esbuild rejected the sources; `output` is its own message, with file and line. */
export class BundleFailed extends Error {
	override readonly name = 'BundleFailed';
	constructor(
		readonly output: string,
		/** Packages that are imported but not installed. */
		readonly missing: readonly string[]
	) {
		super(missing.length > 0 ? `Not installed: ${missing.join(', ')}.` : 'The sources could not be bundled.');
	}
}

/**
 * Bundles scripts and style sheets, each into one file in {@link OUTPUT}, with their imports and the images and fonts
 * that they reference. Rejects with {@link BundleFailed}.
 *
 * @returns esbuild's warnings; empty if there are none
 */
export async function bundle(
	environment: ExecutionEnvironment,
	entries: readonly BundleEntry[],
	options: BundleOptions
): Promise<string> {
	const command = ['esbuild', ...entries.map(({ name, path }) => `${name}=./${path}`), ...flags(options)];
	return run(environment, command, options.root);
}

/** Bundles an inline script. @param folder directory of its imports, below `options.root` */
export async function bundleText(
	environment: ExecutionEnvironment,
	text: string,
	entry: { name: string; folder: string; sourceName: string },
	options: BundleOptions
): Promise<string> {
	const outfile = `--outfile=${OUTPUT}/${entry.name}.js`;
	const kept = flags(options).filter((flag) => !flag.startsWith('--outdir'));
	const command = ['esbuild', outfile, `--sourcefile=${entry.sourceName}`, '--loader=tsx', ...kept];
	return run(environment, command, `${options.root}/${entry.folder}`, text);
}

async function run(
	environment: ExecutionEnvironment,
	command: readonly string[],
	cwd: string,
	stdin?: string
): Promise<string> {
	const quoted = command.map(shellWord).join(' ');
	const { exitCode, stderr, timedOut } = await environment.exec(quoted, { cwd, timeoutMs: TIMEOUT_MS, stdin });
	if (exitCode === 0) return stderr.trim();
	const output = timedOut ? `Bundling took longer than ${TIMEOUT_MS / 1000} s.` : stderr.trim();
	throw new BundleFailed(output, unresolvedPackages(output));
}

function flags({ packages, aliases = {}, external = [] }: BundleOptions): string[] {
	const mode = { MODE: 'development', DEV: true, PROD: false, SSR: false, BASE_URL: '/' };
	return [
		'--bundle',
		'--format=esm',
		'--platform=browser',
		'--target=es2022',
		'--sourcemap=external',
		`--outdir=${OUTPUT}`,
		'--log-level=warning',
		'--log-limit=20',
		'--color=false',
		'--main-fields=svelte,browser,module,main',
		`--conditions=${packages.has('svelte') ? 'svelte,browser,development' : 'browser,development'}`,
		'--define:process.env.NODE_ENV="development"',
		`--define:import.meta.env=${JSON.stringify(mode)}`,
		'--define:import.meta.hot=undefined',
		'--define:__VUE_OPTIONS_API__=true',
		'--define:__VUE_PROD_DEVTOOLS__=false',
		'--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false',
		...(packages.has('react') || packages.has('preact') ? ['--jsx=automatic'] : []),
		...(packages.has('preact') && !packages.has('react') ? ['--jsx-import-source=preact'] : []),
		'--loader:.js=jsx',
		...(packages.has('svelte') ? ['--loader:.svelte=js'] : []),
		...(packages.has('vue') ? ['--loader:.vue=ts'] : []),
		...(SASS.some((name) => packages.has(name)) ? SASS_LOADERS : []),
		...AS_ADDRESS.map((ending) => `--loader:.${ending}=dataurl`),
		...AS_TEXT.map((ending) => `--loader:.${ending}=text`),
		...Object.entries(aliases).map(([name, path]) => `--alias:${name}=${path}`),
		...external.map((name) => `--external:${name}`)
	];
}

/** Names that esbuild could not resolve and that are packages, not files of the project. */
function unresolvedPackages(output: string): string[] {
	const names = [...output.matchAll(/Could not resolve "([^"./][^"]*)"/g)].map(([, name = '']) =>
		name
			.split('/')
			.slice(0, name.startsWith('@') ? 2 : 1)
			.join('/')
	);
	// Nothing compiles these files unless package.json names a compiler.
	if (/No loader is configured for "\.s[ac]ss" files/.test(output)) names.push('sass');
	// The names come from the sources and become part of a command line.
	return [...new Set(names)].filter((name) => /^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(name) && !name.startsWith('-'));
}

/** Root-relative URLs that a script imports, e.g. `/logo.svg`: esbuild treats them as absolute paths. */
export function unresolvedFromRoot(output: string): string[] {
	return [...new Set([...output.matchAll(/Could not resolve "(\/[^"]+)"/g)].map(([, name = '']) => name))];
}
