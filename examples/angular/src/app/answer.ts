import { Component, input, signal } from '@angular/core';
import { ask } from './ask';

@Component({ selector: 'app-answer', template: '<p id="answer">{{ answer() }}</p>' })
export class Answer {
  readonly question = input.required<string>();
  readonly answer = signal('…');

  ngOnInit() {
    ask(this.question()).then(
      (text) => this.answer.set(text),
      (error) => this.answer.set(error.message),
    );
  }
}
