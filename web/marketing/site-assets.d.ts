/** The addresses of what every public page loads, as the build has named it. */
declare module 'virtual:site-assets' {
  export const assets: { css: string; js: string; font: string }
}
