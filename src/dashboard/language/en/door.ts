// Coming in: signing in and the first account.
export const DOOR = {
  signIn: {
    title: 'Sign in',
    login: 'Login',
    password: 'Password',
    submit: 'Sign in',
    refused: 'Login or password is wrong.',
    locked: (until: string) => `Too many wrong passwords: this account is locked until ${until}.`,
    tooMany: 'Too many tries from this address. Wait a few minutes.',
    over: 'Your session is over. Sign in again and you are back where you were.',
    forgotten: 'Forgotten? Whoever runs the bridge sets a new one: ledgerbridge user passwd',
  },
  setUp: {
    title: 'Set up the dashboard',
    intro:
      'Nobody can sign in yet. Make the first account: it is an admin and can add others. The bridge printed a set-up code when it started; it proves that you may see its log.',
    code: 'Set-up code',
    passwordAgain: 'The same password again',
    passwordHelp: 'At least 12 characters; several words in a row do well.',
    mismatch: 'The two passwords differ.',
    submit: 'Make the account',
  },
};
