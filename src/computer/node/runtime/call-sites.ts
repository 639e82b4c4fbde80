/** A frame of a program's own file, with its position in the original source. */
export interface OwnFrame {
	frame: NodeJS.CallSite;
	file: string;
	line: number;
	column: number;
	/** Printed form. */
	text: string;
}

type Prepare = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/** Takes the frames in place of the active one, while {@link framesHere} runs. */
let taking: Prepare | null = null;

/** Frames of the calls under way, as V8 has them; none in other engines. */
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
 * Lets a program set `Error.prepareStackTrace`, as many libraries do to find their caller: what it gets are
 * frames of its own files only, each with the file's name, which V8 does not give for evaluated text.
 * @param standard what is used where the program has set nothing
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
		// V8 reads it too, so it gets ours; it calls the program's.
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
	// Libraries know a frame by its constructor's name, and copy it by the methods of its prototype.
	Object.defineProperty(shown, 'constructor', { value: Object.getPrototypeOf(frame).constructor });
	return Object.create(shown) as NodeJS.CallSite;
}
