/** The package has types, but its exports do not lead an import to them. */
declare module 'temml' {
  export { default } from 'temml/dist/temml.d.ts';
}
