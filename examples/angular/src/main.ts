import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { App, France, Italy } from './app/pages';

const routes = [
  { path: '', component: France },
  { path: 'deep/page', component: Italy },
];

bootstrapApplication(App, { providers: [provideRouter(routes)] }).catch(console.error);
