import { Link } from 'react-router';
import { Answer } from '../answer.jsx';

export default function Home() {
  return (
    <>
      <h1>The capital of France</h1>
      <Answer question="What is the capital of France?" />
      <Link to="/deep/page">Of Italy</Link>
    </>
  );
}
