import { useEffect, useState } from 'react';
import { ask } from './ask.js';

export function Answer({ question }) {
  const [answer, setAnswer] = useState('…');
  useEffect(() => {
    let isShown = true;
    const show = (text) => isShown && setAnswer(text);
    ask(question).then(show, (error) => show(error.message));
    return () => {
      isShown = false;
    };
  }, [question]);
  return <p id="answer">{answer}</p>;
}
