import { isIP } from '../net/address.ts';
import { callError } from './errors.ts';

/** Returns whether an interface of this machine has an address, or the address stands for any. */
function isInterface(family: 4 | 6, address: string): boolean {
	if (family === 6) return ['::', '::1'].includes(address.replace(/%lo$/, '')) || address === '::%lo';
	return address === '0.0.0.0' || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** @throws EINVAL if it is no address, EADDRNOTAVAIL if no interface has it */
export function checkInterface(family: 4 | 6, address: string): void {
	if (isIP(address) !== family) throw callError('EINVAL', 'setMulticastInterface');
	if (!isInterface(family, address)) throw callError('EADDRNOTAVAIL', 'setMulticastInterface');
}

/** @throws EINVAL if an address is none, ENODEV for an interface that there is not */
export function checkMembership(syscall: string, family: 4 | 6, group: string, through: unknown): void {
	if (isIP(group) !== family) throw callError('EINVAL', syscall);
	if (through === undefined || through === null) return;
	if (isIP(String(through)) !== family) throw callError('EINVAL', syscall);
	if (!isInterface(family, String(through))) throw callError('ENODEV', syscall);
}
