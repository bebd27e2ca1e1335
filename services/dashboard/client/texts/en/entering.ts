/** Login, invitation, password. */
export const entering = {
  title: 'Log in',
  logIn: 'Log in',
  forgot: 'Forgot your password? An owner or admin can give you a reset link.',
  wrong: 'Email or password is wrong.',
  limit: 'Too many logins from this address. Thirty a minute are allowed.',
  busy: 'Many people are logging in right now. Try again in a moment.',
  foreign: 'This page does not belong to the service, so it keeps no session here.',
  foreignHint: (origin: string) =>
    `Open the dashboard under SERVICE_DOMAIN, or let that setting name the host of ${origin}.`,
  needsHttps: 'A session needs https.',
  needsHttpsHint:
    'Browsers keep the session only on https, or on localhost. Put TLS in front of the gateway, or open http://localhost on the machine itself.',
  accept: {
    title: 'Join the organization',
    lead: 'You were invited. Choose a name and a password to make your account.',
    leadAs: (email: string) => `You were invited, and are logged in as ${email}. Join with this account.`,
    otherSession: (email: string) =>
      `You are logged in as ${email}, and the invitation is for another email. Who accepts it is logged in as that one then.`,
    join: 'Join',
    joinNew: 'Make an account',
    haveAccount: 'I have an account',
    haveNone: 'I have no account yet',
    otherAccount:
      'The invitation is for another email. Make an account for it, or log in with the one that you have.',
    noToken: 'This link is not complete. Copy the whole link, or ask for a new one.',
    refused: 'This invitation is used up, expired or withdrawn. Ask for a new one.',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'The link works once, within an hour. All your sessions end.',
    set: 'Set password',
    done: 'Your password is changed. Log in with it.',
    noToken: 'This link is not complete. Copy the whole link, or ask for a new one.',
    refused: 'This link is used up or expired. Ask for a new one.',
  },
  passwordHint: 'At least 8 characters.',
};
