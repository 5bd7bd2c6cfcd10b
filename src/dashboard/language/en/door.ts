// Coming in: signing in and the first account.
import { plural } from './plural.js';

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
    elsewhere: (name: string) => `Sign in with ${name}`,
    or: 'or with an account of the bridge',
    elsewhereFailed: (name: string) =>
      `Signing in with ${name} did not work. Try again; the log of the bridge says what was wrong.`,
    notBegun: 'This sign-in was begun in another browser, or too long ago. Begin again.',
    noGroup: (login: string) =>
      `${login} is known there, but none of their groups has a role here. Ask an admin of the bridge.`,
    nameTaken: (login: string) =>
      `An account of the bridge is named ${login} already, and nobody takes it over. Ask an admin of the bridge.`,
    factorElsewhere: (name: string) =>
      `Your role here needs a second factor, and ${name} does not say that it asked for one. Turn it on there and sign in again, or ask whoever runs the bridge.`,
    disabled: 'This account is disabled. Ask an admin of the bridge.',
    codeTitle: 'One more step',
    codeWhat: 'Open the app on your phone and write the code that it shows for ledgerbridge.',
    code: 'Code',
    codeHelp: 'Six digits, or one of your recovery codes.',
    codeLost:
      'Neither phone nor recovery codes? Whoever runs the bridge takes it away: ledgerbridge user totp reset',
    wrongCode: 'That is not the code of now, or it was used before. Wait for the next one.',
    codeLate: 'That took too long. Begin with your password again.',
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
  secondFactor: {
    title: 'Second factor',
    mustTurnOn: 'Your role needs a second factor. Turn it on: until then nothing else is open to you.',
    goOn: 'Go on to the dashboard',
    off: 'Off: your password alone lets you in.',
    on: (codes: number) => `On. ${plural(codes, 'recovery code is', 'recovery codes are')} left.`,
    external: 'You sign in elsewhere; a second factor is asked for there.',
    begin: 'Turn on',
    scan: 'Scan this with an authenticator app, or write the key into it. Then write the code that it shows.',
    picture: 'QR code for the authenticator app',
    key: 'Key',
    confirm: 'Turn on with this code',
    codes: 'Recovery codes',
    codesWhat:
      'It is on. Keep these somewhere safe: each lets you in once when the phone is gone. They are not shown again.',
    turnOff: 'Turn off',
    ended: 'The second factor is off.',
    reset: 'Take the second factor away',
    mark: 'second factor',
    elsewhere: 'signs in elsewhere',
  },
};
