import path from 'node:path';
import type { Plugin } from 'vite';
import { loadRunner } from '#computer/build/frame-plugin.ts';
import { bundle } from '#computer/build/program-plugin.ts';

/**
 * Builds of the sandbox with one defense removed from the source, to show that the attack it stops then succeeds. The
 * product has no such switch.
 */

const sandbox = path.resolve(import.meta.dirname, '../../src/computer');
const KERNEL = 'kernel/main.ts';
const PROGRAM = '../../test/computer/fixtures/raw.ts';

interface SourceDefence {
	/** Parts that are rebuilt. */
	entry: typeof KERNEL | typeof PROGRAM;
	file: string;
	/** Text to replace, which must occur exactly once. */
	from: string;
	to: string;
}

const sources = {
	'native-globals': {
		entry: PROGRAM,
		file: 'process/native-globals.ts',
		from: 'Reflect.deleteProperty(holder, name);',
		to: ''
	},
	'writable-roots': {
		entry: KERNEL,
		file: 'volume/volume.ts',
		from: 'if (root === undefined) throw',
		to: 'if (root === null) throw'
	},
	'links-resolved': {
		entry: KERNEL,
		file: 'volume/volume.ts',
		from: 'isWithin(place.path, candidate)',
		to: 'isWithin(path, candidate)'
	},
	'argument-checks': {
		entry: KERNEL,
		file: 'kernel/calls/call-server.ts',
		from: 'checkArguments(name, args);',
		to: ''
	},
	'call-names': {
		entry: KERNEL,
		file: 'abi/call-names.ts',
		from: 'Object.hasOwn(names, value)',
		to: 'value in names'
	}
} satisfies Record<string, SourceDefence>;

export type SourceDefenceName = keyof typeof sources;

/** The script of the kernel, or of the raw program, without that defense. @throws Error if the source has changed */
export async function scriptWithout(name: SourceDefenceName): Promise<string> {
	const { entry, file, from, to }: SourceDefence = sources[name];
	let taken = 0;
	const without: Plugin = {
		name: 'test:without-defence',
		enforce: 'pre',
		transform(code, id) {
			if (id !== path.join(sandbox, file)) return null;
			taken += code.split(from).length - 1;
			return code.replace(from, to);
		}
	};
	const { code } = await bundle(path.join(sandbox, entry), false, undefined, [without]);
	if (taken !== 1)
		throw new Error(`${file} does not have ${JSON.stringify(from)} once: the defence ${name} is elsewhere.`);
	return code;
}

/** Directives removed from the frame's policy, by the name of what they stop. */
const frames: Record<string, string[]> = {
	requests: ['default-src', 'connect-src'],
	scripts: ['default-src', 'script-src'],
	origin: ['sandbox', 'default-src', 'connect-src']
};

/** The frame's document and headers, without the directives of `name`; `null` if there is no such defense. */
export async function frameWithout(name: string): Promise<{ html: string; headers: Record<string, string> } | null> {
	const left = frames[name];
	if (!left) return null;
	const { document } = await loadRunner(false);
	const policy = document.headers['Content-Security-Policy'] ?? '';
	const directives = policy.split('; ').filter((directive) => !left.includes(directive.split(' ')[0] ?? ''));
	return { html: document.html, headers: { ...document.headers, 'Content-Security-Policy': directives.join('; ') } };
}
