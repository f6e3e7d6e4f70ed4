import { Component, input, signal } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';
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

@Component({ imports: [Answer], templateUrl: './france.html' })
export class France {}

@Component({ imports: [Answer], templateUrl: './italy.html' })
export class Italy {}

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  template: `
    <router-outlet />
    <p><a routerLink="/">Of France</a> <a routerLink="/deep/page">Of Italy</a></p>
  `,
})
export class App {}
