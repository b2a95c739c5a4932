/**
 * The last part of the name of the cookie that says that this browser has a login session. Scripts may read
 * it. It has no value and proves nothing.
 */
export const hintName = 'signed_in'
