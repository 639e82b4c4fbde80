import type { SyncSyscalls } from '#computer/abi/client.ts';
import { constants } from '../modules/fs/constants.ts';
import { RUN, type StartRequest } from '../modules/child-process/start-request.ts';
import { types } from '../modules/util/types.ts';
import { errorNumbers, unsupported } from './errors.ts';
import { signalNumbers } from './signals.ts';

/** Predicates of `util.types` in `process.binding('util')`. */
const OLD_PREDICATES = [
	...(['isExternal', 'isDate', 'isNativeError', 'isRegExp', 'isAsyncFunction', 'isPromise', 'isMap', 'isSet'] as const),
	...(['isMapIterator', 'isSetIterator', 'isArrayBuffer', 'isDataView', 'isAnyArrayBuffer'] as const),
	...(['isArrayBufferView', 'isTypedArray', 'isUint8Array'] as const)
];

type Files = Pick<SyncSyscalls, 'statOrNull'>;

const BINDINGS: Record<string, (files: Files) => object> = {
	natives: () => ({}),
	constants: () => ({ fs: constants, os: { signals: signalNumbers, errno: errorNumbers }, ...constants }),
	config: () => ({ hasIntl: true, hasInspector: false, hasNodeOptions: true, noBrowserGlobals: false, bits: 64 }),
	util: () => Object.fromEntries(OLD_PREDICATES.map((name) => [name, types[name]])),
	fs: (files) => ({
		/**
		 * 0 for a file, 1 for a directory, negative if it does not exist. Later versions have an additional first
		 * argument.
		 */
		internalModuleStat: (...given: unknown[]) => {
			const kind = files.statOrNull(String(given.at(-1)))?.kind;
			return kind === undefined ? -2 : Number(kind === 'directory');
		}
	}),
	spawn_sync: () => ({ spawn: (request: StartRequest) => request[RUN]?.(request) }),
	uv: () => ({
		errname: (number: number) =>
			Object.keys(errorNumbers).find((code) => errorNumbers[code] === -number) ?? `Unknown system error ${number}`,
		...Object.fromEntries(Object.entries(errorNumbers).map(([code, number]) => [`UV_${code}`, -number]))
	})
};

/**
 * `process.binding`, deprecated in Node: the parts that old packages use and that public modules provide.
 * @throws ERR_SANDGLASS_UNSUPPORTED
 */
export function processBinding(name: string, files: Files): object {
	const binding = Object.hasOwn(BINDINGS, name) ? BINDINGS[name] : undefined;
	if (!binding) throw unsupported(`process.binding('${name}')`, 'Use the public modules instead.');
	return binding(files);
}
