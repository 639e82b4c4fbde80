import { Buffer } from 'buffer';
import type { DistinguishedName, GeneralName } from '../asymmetric/part/certificate.ts';

/** OpenSSL's short names of attributes. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
	'2.5.4.3': 'CN',
	'2.5.4.4': 'SN',
	'2.5.4.5': 'serialNumber',
	'2.5.4.6': 'C',
	'2.5.4.7': 'L',
	'2.5.4.8': 'ST',
	'2.5.4.9': 'street',
	'2.5.4.10': 'O',
	'2.5.4.11': 'OU',
	'2.5.4.12': 'title',
	'2.5.4.13': 'description',
	'2.5.4.15': 'businessCategory',
	'2.5.4.17': 'postalCode',
	'2.5.4.42': 'GN',
	'2.5.4.43': 'initials',
	'2.5.4.97': 'organizationIdentifier',
	'0.9.2342.19200300.100.1.1': 'UID',
	'0.9.2342.19200300.100.1.25': 'DC',
	'1.2.840.113549.1.9.1': 'emailAddress',
	'1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionL',
	'1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionST',
	'1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionC'
};

const shortName = (oid: string): string => SHORT_NAMES[oid] ?? oid;

/** Escapes a value as in RFC 2253, including control characters. */
function escaped(value: string): string {
	const marked = value
		.replace(/[,+"\\<>;]/g, '\\$&')
		.replace(/^[ #]/, '\\$&')
		.replace(/ $/, '\\ ');
	return marked.replace(/[\0-\x1f\x7f]/g, (control) => {
		const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
		return `\\${code}`;
	});
}

/** Formats a name as lines: `CN=example.org`. undefined for an empty one. */
export function nameText(name: DistinguishedName): string | undefined {
	if (name.length === 0) return undefined;
	return name.map((set) => set.map(([oid, value]) => `${shortName(oid)}=${escaped(value)}`).join(' + ')).join('\n');
}

/** Converts a name to an object; attributes that occur more than once become lists. */
export function nameObject(name: DistinguishedName): Record<string, string | string[]> {
	const object = Object.create(null) as Record<string, string | string[]>;
	for (const [oid, value] of name.flat()) {
		const key = shortName(oid);
		const before = object[key];
		object[key] = before === undefined ? value : [before, value].flat();
	}
	return object;
}

const COMMON_NAME = '2.5.4.3';
const EMAIL = '1.2.840.113549.1.9.1';

const valuesOf = (name: DistinguishedName, oid: string): string[] =>
	name
		.flat()
		.filter(([type]) => type === oid)
		.map(([, value]) => value);

export const commonNames = (name: DistinguishedName): string[] => valuesOf(name, COMMON_NAME);
export const emailNames = (name: DistinguishedName): string[] => valuesOf(name, EMAIL);

/** Kinds of a general name. */
export const GENERAL = { EMAIL: 1, DNS: 2, DIRECTORY: 4, URI: 6, IP: 7, ID: 8 } as const;

const PREFIXES: Readonly<Record<number, string>> = {
	[GENERAL.EMAIL]: 'email',
	[GENERAL.DNS]: 'DNS',
	[GENERAL.URI]: 'URI'
};

/** Formats an IP address of 4 or 16 bytes; `<invalid>` for others, as in OpenSSL. */
export function addressText(bytes: Uint8Array): string {
	if (bytes.length === 4) return bytes.join('.');
	if (bytes.length !== 16) return '<invalid>';
	const groups = Array.from({ length: 8 }, (_, at) =>
		Buffer.from(bytes)
			.readUInt16BE(at * 2)
			.toString(16)
	);
	return groups.join(':').toUpperCase();
}

const DECIMAL = /^(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

/** Expands an abbreviated IPv6 address to all of its groups. */
function wholeAddress(text: string): string {
	const [head = '', tail] = text.split('::');
	const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
	const zeros = new Array<string>(8 - before.length - after.length).fill('0');
	return [...before, ...zeros, ...after].join(':').toUpperCase();
}

/** Normalizes an address to the format of {@link addressText}; null if it is invalid. */
export function canonicalAddress(text: string): string | null {
	const address = `http://[${text}]/`;
	if (text.includes(':')) return URL.canParse(address) ? wholeAddress(new URL(address).hostname.slice(1, -1)) : null;
	const parts = text.split('.');
	return parts.length === 4 && parts.every((part) => DECIMAL.test(part)) ? text : null;
}

/** Text that could be confused with several names is quoted (CVE-2021-44532). */
const quoted = (text: string): string =>
	/[^ -~]|[",'\\]/.test(text) ? JSON.stringify(text).replaceAll(',', '\\u002c') : text;

export function generalNameText({ kind, bytes }: GeneralName): string {
	const prefix = PREFIXES[kind];
	if (prefix !== undefined) return `${prefix}:${quoted(Buffer.from(bytes).toString('latin1'))}`;
	if (kind === GENERAL.IP) return `IP Address:${addressText(bytes)}`;
	if (kind === GENERAL.DIRECTORY) return 'DirName:<unsupported>';
	return kind === GENERAL.ID ? 'Registered ID:<unsupported>' : 'othername:<unsupported>';
}

const METHODS: Readonly<Record<string, string>> = {
	'1.3.6.1.5.5.7.48.1': 'OCSP',
	'1.3.6.1.5.5.7.48.2': 'CA Issuers'
};

export const accessText = ({ method, name }: { method: string; name: GeneralName }): string =>
	`${METHODS[method] ?? method} - ${generalNameText(name)}`;

export const generalText = ({ bytes }: GeneralName): string => Buffer.from(bytes).toString('latin1');
