/** Object identifiers of hash functions by OpenSSL's names. */
export const HASH_OIDS: Readonly<Record<string, string>> = {
	md5: '1.2.840.113549.2.5',
	sha1: '1.3.14.3.2.26',
	sha224: '2.16.840.1.101.3.4.2.4',
	sha256: '2.16.840.1.101.3.4.2.1',
	sha384: '2.16.840.1.101.3.4.2.2',
	sha512: '2.16.840.1.101.3.4.2.3',
	'sha512-224': '2.16.840.1.101.3.4.2.5',
	'sha512-256': '2.16.840.1.101.3.4.2.6',
	'sha3-224': '2.16.840.1.101.3.4.2.7',
	'sha3-256': '2.16.840.1.101.3.4.2.8',
	'sha3-384': '2.16.840.1.101.3.4.2.9',
	'sha3-512': '2.16.840.1.101.3.4.2.10',
	ripemd160: '1.3.36.3.2.1'
};

/** OpenSSL's name of a hash function by its object identifier. */
export const hashOfOid = (oid: string): string | undefined =>
	Object.keys(HASH_OIDS).find((name) => HASH_OIDS[name] === oid);
