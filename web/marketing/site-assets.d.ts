/** The addresses of the files that the public pages load, with the build's names. */
declare module 'virtual:site-assets' {
  export const assets: { css: string; js: string; drawCheck: string; font: string }
}
