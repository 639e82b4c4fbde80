import { testFacts } from './bash-facts.ts';

testFacts({
	'sums of every kind': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir c; cd c; echo abc >a; echo q >' b'; printf 'x%.0s' {1..300} >l; cksum -a sm3 a l; cksum -a sm3 --untagged a; cksum -a blake2b -l 384 a; b2sum -l 128 --tag a; for a in bsd sysv crc md5 sha224; do cksum -a $a a; done; sum a; sum <a; cd ..; rm -r c",
			'SM3 (a) = 12d4e804e1fcfdc181ed383aa07ba76cc69d8aedcbb7742d6e28ff4fb7776c34\nSM3 (l) = 29e18679e3c57a999429ccb351c5c6093989fb6f0ceae2a6487a10c9c0bc95f6\n12d4e804e1fcfdc181ed383aa07ba76cc69d8aedcbb7742d6e28ff4fb7776c34  a\nBLAKE2b-384 (a) = b47798aa193d0dc5f457dbdc8f648531b5a0931392ad737018a2174e10e6de6439d72420dd50e7e812b03b438fe2d58f\nBLAKE2b-128 (a) = 63a03738a73b8a2228e0765bd1777429\n08288     1 a\n304 1 a\n1112837078 4 a\nMD5 (a) = 0bee89b07a248e27c83fc3d5951213c1\nSHA224 (a) = f5c93b6f06f7c56d7ea720c121e3b1fb6730e5cf5f18d776bf0f2d88\n08288     1 a\n08288     1\n'
		]
	],
	'sums that are compared': [
		[
			"export LC_ALL=C; exec 2>&1; mkdir c; cd c; echo abc >a; echo q >' b'; touch 'n\\m'; md5sum a ' b' 'n\\m' >s; md5sum -c s; sed 's/  / /' s >s1; md5sum -c s1; tail -n+2 s1 | md5sum --strict -c; md5sum --tag a 'n\\m' >t; md5sum -c t; cksum -c t; cksum -c s; cksum -a sha1 -c t; sed 's/ //; s/ =/=/' t | md5sum -c; sed 's/^/ \\\\/' t | md5sum -c; b2sum -l 128 a | b2sum -c; printf '%s\\n' BLAKE2b 'BLAKE2b (' | b2sum -wc; cd ..; rm -r c",
			"a: OK\n b: OK\nn\\m: OK\na: OK\n b: OK\nn\\m: OK\nmd5sum: b: No such file or directory\nb: FAILED open or read\nmd5sum: WARNING: 1 line is improperly formatted\nmd5sum: WARNING: 1 listed file could not be read\na: OK\nn\\m: OK\na: OK\nn\\m: OK\ncksum: s: no properly formatted checksum lines found\ncksum: t: no properly formatted checksum lines found\na: OK\nn\\m: OK\na: OK\nmd5sum: WARNING: 1 line is improperly formatted\na: OK\nb2sum: 'standard input': 1: improperly formatted BLAKE2b checksum line\nb2sum: 'standard input': 2: improperly formatted BLAKE2b checksum line\nb2sum: 'standard input': no properly formatted checksum lines found\n"
		]
	],
	'options of sums that do not go together': [
		[
			'export LC_ALL=C; { touch a; cksum -a sha22 a; cksum -a bsd -c a; cksum -l 8 a; b2sum -l 7 a; b2sum -l 1024 a; b2sum -l x a; md5sum --tag --check a; md5sum --tag --text a; md5sum -c -b a; md5sum --strict a; md5sum -zc a; } 2>&1 | grep -v Try',
			"cksum: invalid argument 'sha22' for '--algorithm'\nValid arguments are:\n  - 'bsd'\n  - 'sysv'\n  - 'crc'\n  - 'md5'\n  - 'sha1'\n  - 'sha224'\n  - 'sha256'\n  - 'sha384'\n  - 'sha512'\n  - 'blake2b'\n  - 'sm3'\ncksum: --check is not supported with --algorithm={bsd,sysv,crc}\ncksum: --length is only supported with --algorithm=blake2b\nb2sum: invalid length: '7'\nb2sum: length is not a multiple of 8\nb2sum: invalid length: '1024'\nb2sum: maximum digest length for 'BLAKE2b' is 512 bits\nb2sum: invalid length: 'x'\nmd5sum: the --tag option is meaningless when verifying checksums\nmd5sum: --tag does not support --text mode\nmd5sum: the --binary and --text options are meaningless when verifying checksums\nmd5sum: the --strict option is meaningful only when verifying checksums\nmd5sum: the --zero option is not supported when verifying checksums\n"
		]
	]
});
