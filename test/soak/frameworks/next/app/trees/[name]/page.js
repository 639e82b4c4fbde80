export default async function Tree({ params }) {
	const { name } = await params;
	return <h1>{`Tree ${name}`}</h1>;
}
