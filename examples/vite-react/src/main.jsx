import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Answer } from './answer.jsx';

const country = location.pathname === '/deep/page' ? 'Italy' : 'France';

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <h1>The capital of {country}</h1>
    <Answer question={`What is the capital of ${country}?`} />
    <p>
      <a href="/">Of France</a> <a href="/deep/page">Of Italy</a>
    </p>
  </StrictMode>,
);
