import { Buffer } from 'buffer';

const is = (type: string) => (value: unknown) => typeof value === type;
const isObject = (value: unknown) => value !== null && typeof value === 'object';
const tag = (value: unknown) => Object.prototype.toString.call(value);

/** Old functions of `node:util` that old packages still use. */
export const legacy = {
	isArray: (value: unknown) => Array.isArray(value),
	isBoolean: is('boolean'),
	isBuffer: (value: unknown) => Buffer.isBuffer(value),
	isDate: (value: unknown) => tag(value) === '[object Date]',
	isError: (value: unknown) => tag(value) === '[object Error]' || value instanceof Error,
	isFunction: is('function'),
	isNull: (value: unknown) => value === null,
	isNullOrUndefined: (value: unknown) => value === null || value === undefined,
	isNumber: is('number'),
	isObject,
	isPrimitive: (value: unknown) => !isObject(value) && typeof value !== 'function',
	isRegExp: (value: unknown) => tag(value) === '[object RegExp]',
	isString: is('string'),
	isSymbol: is('symbol'),
	isUndefined: is('undefined'),
	_extend: (target: object, source?: object) => Object.assign(target, source),
	log: (...values: unknown[]) => {
		const now = new Date();
		const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
		const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0'));
		console.log(`${now.getDate()} ${months[now.getMonth()]} ${time.join(':')} -`, ...values);
	}
};
