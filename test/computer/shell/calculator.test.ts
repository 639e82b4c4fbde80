import { expect, it } from 'vitest';
import { Interpreter } from '#computer/coreutils/calculator/interpreter.ts';
import { calculate } from '#computer/coreutils/calculator/program.ts';

/** Output of GNU bc 1.07.1 for a program, and whether it reports an error. */
const ANSWERS: [program: string, stdout: string, complaint?: string, option?: string][] = [
	['1+2\n', '3\n'],
	['10/3\n', '3\n'],
	['scale=2; 10/3\n', '3.33\n'],
	['scale=4;22/7\n-22/7\n1/3\n-1/3\n', '3.1428\n-3.1428\n.3333\n-.3333\n'],
	['2^100\n', '1267650600228229401496703205376\n'],
	['2^-3\nscale=5\n2^-3\n', '0\n.12500\n'],
	['7%3\n-7%3\nscale=2\n7%3\n7.5%2\n', '1\n-1\n.01\n0\n'],
	['5*3.14\n1.5*1.5\nscale=10\n1.5*1.5*1.23456\n', '15.70\n2.2\n2.7777600\n'],
	[
		'sqrt(2)\nscale=20\nsqrt(2)\nsqrt(16)\nsqrt(0.25)\n',
		'1\n1.41421356237309504880\n4.00000000000000000000\n.50000000000000000000\n'
	],
	['scale=20\nsqrt(1)\nsqrt(0)\n', '1\n0\n'],
	[
		'j(0,1)\nj(1,2.5)\nj(-3,2)\nj(20,100)\nj(4,-1)\nj(2,0)\n',
		'.76519768655796655144\n.49709410246427403801\n-.12894324947440205109\n.06221745849833875314\n.00247663896410995504\n0\n',
		'',
		'-l'
	],
	[
		'define f(n) {\n while (1) {\n  n+=1\n  if (n>9) return n\n  if (n<5) continue\n  if (n==7) { break }\n }\n return -n\n}\nf(0)\nf(7)\n',
		'-7\n10\n'
	],
	['obase=16\n255\n-255\n0\n.5\nscale=4\n1.5\n', 'FF\n-FF\n0\n.8\n1.8\n'],
	['obase=2\n10\n255\n', '1010\n11111111\n'],
	['ibase=16\nFF\nA\n1.8\nibase=A\n10\n', '255\n10\n1.5\n10\n'],
	['obase=20\n399\n1.5\n', ' 19 19\n 01.10\n'],
	['x=5\nx\nx+=2\nx\n++x\nx++\nx\nx--\n', '5\n7\n8\n8\n9\n9\n'],
	['1==1\n1<2\n2<=1\n!0\n!5\n1&&0\n1||0\n', '1\n1\n0\n1\n0\n0\n1\n'],
	['for(i=0;i<5;i++) i\n', '0\n1\n2\n3\n4\n'],
	['i=0\nwhile(i<3){\n i\n i+=1\n}\n', '0\n1\n2\n'],
	['if(1>2) 1 else 2\nif (2>1) {\n 3\n} else {\n 4\n}\n', '2\n3\n'],
	['define f(n) {\n if (n<2) return 1\n return n*f(n-1)\n}\nf(30)\n', '265252859812191058636308480000000\n'],
	['define f(x){ auto y; y=x*2; return(y) }\ny=7\nf(4)\ny\n', '8\n7\n'],
	['a[1]=5\na[2]=6\na[1]+a[2]\n', '11\n'],
	['print "hi\\n"\nprint 1,2,"x\\n"\n"str"\n3\n', 'hi\n12x\nstr3\n'],
	['4*a(1)\n', '3.14159265358979323844\n', '', '-l'],
	[
		'e(1)\nl(2)\ns(1)\nc(1)\na(0.5)\ne(10)\nl(10)\ne(-2.5)\ns(10)\nc(-3)\nl(0.5)\n',
		'2.71828182845904523536\n.69314718055994530941\n.84147098480789650665\n.54030230586813971740\n.46364760900080611621\n22026.46579480671651695790\n2.30258509299404568401\n.08208499862389879516\n-.54402111088936981340\n-.98999249660044545727\n-.69314718055994530941\n',
		'',
		'-l'
	],
	[
		'scale=50\n4*a(1)\ne(1)\n',
		'3.14159265358979323846264338327950288419716939937508\n2.71828182845904523536028747135266249775724709369995\n',
		'',
		'-l'
	],
	['l(0)\n', '-99999999999999999999.00000000000000000000\n', '', '-l'],
	['1/0\n5\n', '5\n', 'complains'],
	['2+\n7\n', '7\n', 'complains'],
	['foo bar\n3\n', '3\n', 'complains'],
	['f(3)\n1\n', '1\n', 'complains'],
	['sqrt(-1)\n2\n', '2\n', 'complains'],
	['length(12.345)\nscale(12.345)\nlength(0)\nlength(.05)\n', '5\n3\n1\n2\n'],
	[
		'2^200*3^100\n',
		'82817974522014550258408423595736849801612281185389443546420186410325\\\n4919330121223037770283296858019385573376\n'
	],
	['1\nquit\n2\n', '1\n'],
	['/* c */ 1 # two\n3\n', '1\n3\n'],
	['0.5+0.5\n1.00-1\n.10*2\n0.00\n-0.5\n', '1.0\n0\n.20\n0\n-.5\n'],
	['last+1\n5\nlast*2\n.+1\n', '1\n5\n10\n11\n'],
	['1;2;3\n', '1\n2\n3\n'],
	['-2^2\n2^3^2\n-(3)\n', '4\n512\n-3\n'],
	['scale=3\n100*1.05^10\n', '162.800\n'],
	['define g(a[]) { return a[0]+1 }\nb[0]=4\ng(b[])\n', '5\n'],
	['for(i=0;i<10;i++){ if(i==2) continue; if(i==5) break; i }\n', '0\n1\n3\n4\n'],
	['scale=2\n(5+3)*2/3\n', '5.33\n'],
	['a=b=3\na+b\n', '6\n'],
	['(a=5)\n', '5\n'],
	['10 % 0\n', '', 'complains'],
	['1.5e3\n', '', 'complains'],
	['x=1;x/=3;x\nscale=5;x=1;x/=3;x\n', '0\n.33333\n'],
	['12345678901234567890*98765432109876543210\n', '1219326311370217952237463801111263526900\n'],
	['scale=20;1/7\n', '.14285714285714285714\n'],
	[
		'e(0)\ne(.001)\ns(0)\nl(1)\na(1)\na(100)\nc(0)\ns(3.14159265358979)\n',
		'1.00000000000000000000\n1.00100050016670834166\n0\n0\n.78539816339744830961\n1.56079666010823138102\n1.00000000000000000000\n.00000000000000323846\n',
		'',
		'-l'
	],
	['5!=4\nif (!(5==4)) 1\n', '1\n1\n'],
	['halt\n1\n', ''],
	['a=1\n\n\na\n', '1\n'],
	['"a";1;"b\n"\n', 'a1\nb\n'],
	['return 1\n3\n', '3\n', 'complains'],
	['while(1) { x+=1; if (x>3) break }; x\n', '4\n']
];

it.each(ANSWERS)('bc answers %j with %j', (program, stdout, complaint = '', option = '') => {
	let printed = '';
	let complaints = '';
	const machine = new Interpreter((text) => (printed += text), option === '-l');
	calculate(program, machine, (text) => (complaints += text));
	expect(printed).toBe(stdout);
	expect(complaints === '' ? '' : 'complains').toBe(complaint);
});

it('bc can be stopped in a loop without end', () => {
	let left = 1_000;
	const machine = new Interpreter(
		() => {},
		false,
		() => {
			if (--left === 0) throw new Error('stopped');
		}
	);
	expect(() => calculate('while (1) { x = x + 1 }\n', machine, () => {})).toThrow('stopped');
});
