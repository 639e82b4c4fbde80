/** Frame of a program's own file, with its position in the original source. */
export interface OwnFrame {
	frame: NodeJS.CallSite;
	file: string;
	line: number;
	column: number;
	/** Printed form. */
	text: string;
}

type Prepare = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/** Receives the frames instead of the active handler while {@link framesHere} runs. */
let taking: Prepare | null = null;

/** Frames of the current call stack in V8; none in other engines. */
export function framesHere(): NodeJS.CallSite[] {
	let taken: NodeJS.CallSite[] = [];
	taking = (_, frames) => {
		taken = frames;
		return '';
	};
	try {
		void new Error().stack;
		return taken;
	} finally {
		taking = null;
	}
}

/**
 * Lets a program set `Error.prepareStackTrace`, as many libraries do to find their caller: it only receives frames of
 * its own files, each with the file's name, which V8 does not provide for evaluated text.
 * @param standard handler used if the program has not set one
 */
export function installPrepareStackTrace(
	standard: Prepare,
	ownFrames: (frames: NodeJS.CallSite[]) => OwnFrame[]
): void {
	let own: unknown;
	let active: Prepare = standard;
	Object.defineProperty(Error, 'prepareStackTrace', {
		configurable: true,
		enumerable: false,
		// V8 reads it as well, so it gets our handler, which calls the program's.
		get: () => taking ?? active,
		set: (given: unknown) => {
			own = given;
			active =
				typeof given !== 'function' || given === standard || wrapped.has(given)
					? typeof given === 'function'
						? (given as Prepare)
						: standard
					: wrap(given as Prepare);
		}
	});
	const wrapped = new WeakSet<object>();
	const wrap = (prepare: Prepare): Prepare => {
		const made: Prepare = (error, frames) =>
			Reflect.apply(prepare, own, [error, ownFrames(frames).map(callSite)]) as unknown;
		wrapped.add(made);
		return made;
	};
}

function callSite({ frame, file, line, column, text }: OwnFrame): NodeJS.CallSite {
	const shown: Record<string, unknown> = {
		getFileName: () => file || undefined,
		getScriptNameOrSourceURL: () => file || undefined,
		getLineNumber: () => line,
		getColumnNumber: () => column,
		getEnclosingLineNumber: () => line,
		getEnclosingColumnNumber: () => column,
		getEvalOrigin: () => undefined,
		isEval: () => false,
		getScriptHash: () => '',
		getFunctionName: () => {
			const name = frame.getFunctionName();
			return name === 'eval' ? null : name;
		},
		toString: () => text
	};
	const methods = [
		'getThis',
		'getTypeName',
		'getFunction',
		'getMethodName',
		'isToplevel',
		'isNative',
		'isConstructor',
		'isAsync',
		'isPromiseAll',
		'getPromiseIndex'
	];
	for (const name of methods) {
		const method: unknown = Reflect.get(frame, name);
		if (typeof method === 'function') shown[name] = () => Reflect.apply(method, frame, []) as unknown;
	}
	// Libraries recognize a frame by its constructor's name, and copy it using the methods of its prototype.
	Object.defineProperty(shown, 'constructor', { value: Object.getPrototypeOf(frame).constructor });
	return Object.create(shown) as NodeJS.CallSite;
}
