import Link from 'next/link';
import { Answer } from '../../answer.jsx';

export default function Page() {
  return (
    <>
      <h1>The capital of Italy</h1>
      <Answer question="What is the capital of Italy?" />
      <Link href="/">Of France</Link>
    </>
  );
}
