import { errorNumbers, outOfRange, type NodeError } from '../../runtime/errors.ts';
import { integer } from '../../runtime/validate.ts';

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE unless it is a negative number of an error */
function nameOf(number: number): string {
	integer()(number, 'err');
	if (number >= 0) throw outOfRange('err', 'a negative integer', number);
	return Object.keys(errorNumbers).find((code) => errorNumbers[code] === -number) ?? `Unknown system error ${number}`;
}

/** `util._errnoException`: error of a call of the system. @param number negative, as in `errno` */
export function errnoException(number: number, syscall: string, original?: string): NodeError {
	const code = nameOf(number);
	const error = new Error(`${syscall} ${code}${original ? ` ${original}` : ''}`);
	return Object.assign(error, { errno: number, code, syscall });
}

/** `util._exceptionWithHostPort`: error of a call about an address. @param additional text about the local end */
export function exceptionWithHostPort(
	number: number,
	syscall: string,
	address: string,
	port?: number,
	additional?: string
): NodeError {
	const code = nameOf(number);
	const place = port && port > 0 ? ` ${address}:${port}` : address ? ` ${address}` : '';
	const error = new Error(`${syscall} ${code}${place}${additional ? ` - Local (${additional})` : ''}`);
	return Object.assign(error, { errno: number, code, syscall, address, ...(port ? { port } : {}) });
}
