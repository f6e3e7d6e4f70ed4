import Link from 'next/link';
import { Answer } from './answer.jsx';

export default function Page() {
  return (
    <>
      <h1>The capital of France</h1>
      <Answer question="What is the capital of France?" />
      <Link href="/deep/page">Of Italy</Link>
    </>
  );
}
