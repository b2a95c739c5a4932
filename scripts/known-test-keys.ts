// What looks like a secret in our sources or their history and opens nothing.

export const knownTestKeys: ReadonlySet<string> = new Set([
  // Passwords and keys of the tests, the drills and the demo.
  'a-client-secret',
  'a-secret-for-tests-only-0123456789-abcdef',
  'a-secret-of-the-benchmark-0123456789',
  'a-secret-of-the-journeys',
  'another-secret-0123456789-abcdefghij',
  'drill-password',
  'even-hand-demo',
  'journeys-only-7f1c9a52e0b84d63',
  'journeys-only-7f1c9a52e0b84d63f2a9',
  'JBSWY3DPEHPK3PXP',
  'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  'k3J9-sQ2x_7Lw0pZrT5vYb8NcM1aHdGf',
  'sk_test_1',
  'sk_test_of_another_one',
  'sk_test_the_same_key',
  'whsec_of_this_test',
  // Weak ones, which tests try.
  '12345678',
  'au01-own@mail.example',
  'password',
  'violet-dragon-lamp',
  // Examples of what is removed from texts.
  '-----BEGIN RSA PRIVATE KEY',
  'AKIAIOSFODNN7EXAMPLE',
  'Bearer abcdefghijklmnop1234',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
  'hunter22',
  'rk_test_0123456789abcdef',
  'sk_live_51Habcdefgh',
  'sk_live_51HabcdefghIJK',
  'whsec_abcdefgh12345678',
  // In the addresses of servers, as examples.
  'secret',
  'SECRET',
  // Names of columns and modules, and a path of 43 letters.
  'access_token',
  'access_token_expires_at',
  'accounts',
  'id_token',
  'refresh_token',
  'refresh_token_expires_at',
  '/a-shop-with-a-long-name-that-sells-planners',
])
