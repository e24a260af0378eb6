/** The page runs no script; its form goes to us only. */
export const LOGIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Asks for a token, where there is no cookie with one. */
export function loginPage(wrong: boolean): string {
  const said = wrong ? '<p role="alert">This token is not known here, or was revoked.</p>' : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pupil: sign in</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 24rem; margin: 15vh auto; padding: 0 1rem }
label, input, button { display: block; width: 100%; font: inherit; margin-top: 0.5rem; box-sizing: border-box }
</style></head><body><main><h1>Pupil</h1>${said}
<form method="post" action="/session"><label for="token">Your token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button></form>
<p>Whoever runs this server gives you one: <code>pupil token create NAME</code>.</p></main></body></html>
`
}
