import { testFacts } from './bash-facts.ts';

testFacts({
	'hexdump: the forms of its options': [
		[
			"printf 'Hello, wide world\\n\\000\\377\\t' | hexdump; printf 'Hello, wide world\\n\\000\\377\\t' | hexdump -C",
			'0000000 6548 6c6c 2c6f 7720 6469 2065 6f77 6c72\n0000010 0a64 ff00 0009                         \n0000015\n00000000  48 65 6c 6c 6f 2c 20 77  69 64 65 20 77 6f 72 6c  |Hello, wide worl|\n00000010  64 0a 00 ff 09                                    |d....|\n00000015\n'
		],
		[
			"printf 'a\\n\\000\\377\\tz' >f; hexdump -b f; hexdump -c f; hexdump -d f; hexdump -o f; hexdump -x f; hd f",
			'0000000 141 012 000 377 011 172                                        \n0000006\n0000000   a  \\n  \\0 377  \\t   z                                        \n0000006\n0000000   02657   65280   31241                                        \n0000006\n0000000  005141  177400  075011                                        \n0000006\n0000000    0a61    ff00    7a09                                        \n0000006\n00000000  61 0a 00 ff 09 7a                                 |a....z|\n00000006\n'
		],
		[
			'head -c 64 /dev/zero | hexdump -C; head -c 64 /dev/zero | hexdump -vC; head -c 40 /dev/zero | hexdump',
			'00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000040\n00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000020  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000030  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n00000040\n0000000 0000 0000 0000 0000 0000 0000 0000 0000\n*\n0000020 0000 0000 0000 0000                    \n0000028\n'
		],
		[
			"printf '0123456789abcdef0123456789abcdefXYZ' >g; hexdump -C -s 4 -n 20 g; hexdump -C -s 0x2 -n 3 <g; : | hexdump -C; printf 'abc' | hexdump -n 2",
			'00000004  34 35 36 37 38 39 61 62  63 64 65 66 30 31 32 33  |456789abcdef0123|\n00000014  34 35 36 37                                       |4567|\n00000018\n00000002  32 33 34                                          |234|\n00000005\n0000000 6261                                   \n0000002\n'
		],
		[
			'printf abcdef | hexdump -Cx',
			'00000000  61 62 63 64 65 66                                 |abcdef|\n0000000    6261    6463    6665                                        \n0000006\n'
		]
	],
	"hexdump: formats of one's own": [
		[
			"printf 'Hi there' | hexdump -e '1/1 \"%02x \"'; echo; printf 'Hi there' | hexdump -ve '1/1 \"%02X\"'; echo; printf 'Hi there' | hexdump -e '\"%x\\n\"'",
			'48 69 20 74 68 65 72 65 \n4869207468657265\n74206948\n65726568\n'
		],
		[
			'printf \'Hi there friend\' | hexdump -e \'"%04_ad: " 4/1 "%3u " "  " 4/1 "%_p" "\\n"\'; printf \'\\000\\001\\177\\nA\' | hexdump -ve \'1/1 "%_c " "%_u|"\'; echo',
			'0000:  72 105  32 116  here\n0008:  32 102 114 105  end\n\\0 soh|177 lf|A |\n'
		],
		[
			'printf \'\\001\\002\\003\\004\\377\\377\\377\\377\' | hexdump -e \'4/2 "%d " "\\n"\' -e \'2/4 "%u," "\\n"\' -e \'1/8 "%#x\\n"\' -e \'8/1 "%i;" "\\n"\'',
			'513 1027 -1 -1\n67305985,4294967295,\n0xffffffff04030201\n1;2;3;4;-1;-1;-1;-1;\n'
		],
		['printf \'\\000\\000\\200?\\000\\000\\000@\' | hexdump -e \'2/4 "%f " "\\n"\'', '1.000000 2.000000\n'],
		[
			"printf '\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0' | hexdump -e '1/1 \"%02x|\"1/1 \"%02x!\\n\"'; printf 'abc' | hexdump -e '1/2 \"%04x\\n\"'; printf 'abcde' | hexdump -e '3/1 \"%c-\" \"\\n\"'",
			'00|00!\n*\n00|  !\n6261\n0063\na-b-c-\nd-e--\n'
		],
		[
			"{ echo x | hexdump -e '1/1 %x'; echo $?; echo x | hexdump -e '\"%y\"'; echo $?; echo x | hexdump -e '3/3 \"%d\"'; echo $?; } 2>&1",
			'hexdump: bad format {1/1 %x}\n1\nhexdump: bad conversion character %y\n1\nhexdump: bad byte count for conversion character d\n1\n'
		]
	],
	'printf as a program': [
		[
			"env printf '\\c' foo; env printf '%s\\c' foo bar; echo; env printf '%s-%s\\cx' a; echo; env printf 'a\\\\c%s\\n' b; printf 'a\\cb'",
			'foo\na-\na\\cb\na\\cb'
		]
	]
});
