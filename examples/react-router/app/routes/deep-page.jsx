import { Link } from 'react-router';
import { Answer } from '../answer.jsx';

export default function DeepPage() {
  return (
    <>
      <h1>The capital of Italy</h1>
      <Answer question="What is the capital of Italy?" />
      <Link to="/">Of France</Link>
    </>
  );
}
