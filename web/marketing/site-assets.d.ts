/** The addresses of the files that every public page loads, with the build's names. */
declare module 'virtual:site-assets' {
  export const assets: { css: string; js: string; font: string }
}
