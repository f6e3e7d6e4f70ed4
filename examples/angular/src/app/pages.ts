import { Component } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';
import { Answer } from './answer';

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
