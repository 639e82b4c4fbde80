export default function Home() {
	return <h1>Apples today</h1>;
}
