import { KeyObject } from '../crypto/keys.ts';

const tagOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1);
const hasTag = (tag: string) => (value: unknown) => typeof value === 'object' && value !== null && tagOf(value) === tag;
const view = (tag: string) => (value: unknown) => ArrayBuffer.isView(value) && typedTag(value) === tag;
const typedTag = (value: object): unknown =>
	Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)?.get?.call(
		value
	);

const functionTag = (tag: RegExp) => (value: unknown) =>
	typeof value === 'function' && tag.test(Function.prototype.toString.call(value));

/** `util.types`, as far as it can be determined without the engine. */
export const types = {
	isAnyArrayBuffer: (value: unknown) => hasTag('ArrayBuffer')(value) || hasTag('SharedArrayBuffer')(value),
	isArgumentsObject: hasTag('Arguments'),
	isArrayBuffer: hasTag('ArrayBuffer'),
	isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
	isAsyncFunction: functionTag(/^async\b/),
	isBigIntObject: hasTag('BigInt'),
	isCryptoKey: hasTag('CryptoKey'),
	isKeyObject: (value: unknown) => value instanceof KeyObject,
	isBigInt64Array: view('BigInt64Array'),
	isBigUint64Array: view('BigUint64Array'),
	isBooleanObject: hasTag('Boolean'),
	isBoxedPrimitive: (value: unknown) =>
		typeof value === 'object' && /^(Number|String|Boolean|Symbol|BigInt)$/.test(tagOf(value)),
	isDataView: hasTag('DataView'),
	isDate: hasTag('Date'),
	isExternal: () => false,
	isFloat16Array: view('Float16Array'),
	isFloat32Array: view('Float32Array'),
	isFloat64Array: view('Float64Array'),
	isGeneratorFunction: functionTag(/^(async\s+)?(function\s*\*|\*)/),
	isGeneratorObject: hasTag('Generator'),
	isInt16Array: view('Int16Array'),
	isInt32Array: view('Int32Array'),
	isInt8Array: view('Int8Array'),
	isMap: hasTag('Map'),
	isMapIterator: hasTag('Map Iterator'),
	isModuleNamespaceObject: hasTag('Module'),
	isNativeError: (value: unknown) => value instanceof Error,
	isNumberObject: hasTag('Number'),
	isPromise: (value: unknown) => value instanceof Promise,
	isProxy: () => false,
	isRegExp: hasTag('RegExp'),
	isSet: hasTag('Set'),
	isSetIterator: hasTag('Set Iterator'),
	isSharedArrayBuffer: hasTag('SharedArrayBuffer'),
	isStringObject: hasTag('String'),
	isSymbolObject: hasTag('Symbol'),
	isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
	isUint16Array: view('Uint16Array'),
	isUint32Array: view('Uint32Array'),
	isUint8Array: view('Uint8Array'),
	isUint8ClampedArray: view('Uint8ClampedArray'),
	isWeakMap: hasTag('WeakMap'),
	isWeakSet: hasTag('WeakSet')
};
