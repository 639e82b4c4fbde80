import type ts from 'typescript';
import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Compiler, FileEntries } from './compiler.ts';

/** Virtual path of the shipped libraries. They are not in any volume. */
export const LIBRARY_DIRECTORY = '/usr/lib/typescript';
const OUTPUT_BYTES = 16 * 1024;

/** Thrown when the compiler exits. */
export class Exit extends Error {
	override readonly name = 'Exit';
	constructor(readonly code: number) {
		super(`exit ${code}`);
	}
}

export interface VolumeSystem extends ts.System {
	flush(): void;
}

/**
 * Creates the compiler's interface to files, terminal and exit, over the volume.
 * @param libraries file name → text, in `libraryDirectory`
 */
export function createSystem(
	{ sync, cwd, env, argv }: ProcessContext,
	compiler: Compiler,
	libraryDirectory: string,
	libraries: Readonly<Record<string, string>>
): VolumeSystem {
	const encoder = new TextEncoder();
	const decoder = new TextDecoder();
	let output = '';
	const at = (path: string) => absolute(path, cwd);
	const library = (path: string): string | undefined =>
		dirname(path) === libraryDirectory && Object.hasOwn(libraries, basename(path))
			? libraries[basename(path)]
			: undefined;
	const look = (path: string): WireStat | null => sync.statOrNull(at(path));
	const realpath = (path: string): string => {
		try {
			return library(path) === undefined ? sync.realpath(at(path)) : path;
		} catch (error) {
			if (error instanceof SyscallError) return path;
			throw error;
		}
	};
	const flush = () => {
		if (output) sync.write(1, encoder.encode(output));
		output = '';
	};
	const entries = (path: string): FileEntries => {
		const found: FileEntries = { files: [], directories: [] };
		if (look(path || '.')?.kind !== 'directory') return found;
		for (const { name, kind } of sync.readdir(at(path || '.'))) {
			const real = kind === 'symlink' ? look(`${path || '.'}/${name}`)?.kind : kind;
			if (real === 'directory') found.directories.push(name);
			else if (real === 'file') found.files.push(name);
		}
		found.files.sort();
		found.directories.sort();
		return found;
	};
	return {
		args: argv.slice(1),
		newLine: '\n',
		useCaseSensitiveFileNames: true,
		write(text) {
			output += text;
			if (output.length > OUTPUT_BYTES) flush();
		},
		flush,
		writeOutputIsTTY: () => sync.isTerminal(1),
		getWidthOfTerminal: () => (sync.isTerminal(1) ? sync.terminalSize().columns : 80),
		readFile: (path) =>
			library(path) ?? (look(path)?.kind === 'file' ? withoutMark(decoder, sync.readFile(at(path))) : undefined),
		getFileSize: (path) => look(path)?.size ?? 0,
		writeFile: (path, data, mark) => {
			sync.mkdir(dirname(at(path)), { recursive: true });
			sync.writeFile(at(path), encoder.encode(mark ? `\uFEFF${data}` : data));
		},
		resolvePath: at,
		fileExists: (path) => library(path) !== undefined || look(path)?.kind === 'file',
		directoryExists: (path) => path === libraryDirectory || look(path)?.kind === 'directory',
		createDirectory: (path) => sync.mkdir(at(path), { recursive: true }),
		getExecutingFilePath: () => `${libraryDirectory}/tsc.js`,
		getCurrentDirectory: () => cwd,
		getDirectories: (path) => entries(path).directories,
		readDirectory: (path, extensions, excludes, includes, depth) =>
			compiler.matchFiles(path, extensions, excludes, includes, true, cwd, depth, entries, realpath),
		getModifiedTime: (path) => {
			const stat = look(path);
			return stat ? new Date(stat.modifiedMs) : undefined;
		},
		setModifiedTime: (path, time) => sync.utimes(at(path), time.getTime(), time.getTime()),
		deleteFile: (path) => sync.unlink(at(path)),
		exit(code = 0) {
			flush();
			throw new Exit(code);
		},
		realpath,
		...{ getEnvironmentVariable: (name: string) => env[name] ?? '' }
	};
}

function withoutMark(decoder: TextDecoder, bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	return decoder.decode(bytes);
}
