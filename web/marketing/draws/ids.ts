/** Begins the ids of the form, which the server and the browser render as a page of its own in the page. */
export const checkIds = 'check-'
