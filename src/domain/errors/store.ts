import type { ErrorTable } from './definition.js';

export const STORE_ERRORS = {
  DATABASE_UNREACHABLE: {
    disposition: 'retry',
    exit: 'unavailable',
    meaning: 'The database could not be reached.',
    remedy: 'Check DATABASE_URL and that the server runs.',
  },
  ORIGINALS_STORE_UNAVAILABLE: {
    disposition: 'retry',
    exit: 'unavailable',
    meaning: 'The directory or bucket of originals could not be reached, or refused.',
    remedy:
      'Check LEDGERBRIDGE_ORIGINALS (and the S3 settings) with `ledgerbridge doctor`. Originals wait meanwhile; postings do not.',
  },
  RETENTION_TOO_SHORT: {
    disposition: 'stop',
    exit: 'usage',
    meaning:
      'Originals, or the names and contents of documents, would be removed earlier than bookkeeping law (145/1994: seven years from the end of the year) or the tenant’s file wants.',
    remedy:
      'Give more years or none, or say `--shorter-than-the-law` if you may; the audit keeps that you did.',
  },
  DATABASE_REFUSED: {
    disposition: 'stop',
    meaning:
      'The database server answered but did not let the bridge in: login, password, database name or TLS.',
    remedy: 'Correct DATABASE_URL; the message says what the server objects to.',
  },
  DATABASE_URL_INVALID: {
    disposition: 'stop',
    meaning: 'DATABASE_URL is not the address of a PostgreSQL database.',
    remedy: 'Write it as postgresql://user:password@host:5432/database.',
  },
  DATABASE_TOO_OLD: {
    disposition: 'stop',
    meaning: 'The server behind DATABASE_URL is older than PostgreSQL 14.',
    remedy: 'Use PostgreSQL 14 or newer, or leave DATABASE_URL out to use the embedded one.',
  },
  DATABASE_ENCODING: {
    disposition: 'stop',
    meaning: 'The database is not encoded in UTF-8, so names could not be kept as they are.',
    remedy: 'Create the database with `CREATE DATABASE … ENCODING UTF8`.',
  },
  DATABASE_MIGRATION_FAILED: {
    disposition: 'stop',
    meaning: 'A migration failed; it was rolled back as a whole.',
    remedy:
      'Read the reason in the message (often a missing privilege), correct it and run `ledgerbridge db migrate`.',
  },
  DATABASE_RIGHTS_MISSING: {
    disposition: 'stop',
    exit: 'unavailable',
    meaning: 'The role that signed in to the database may not do what has to be done there.',
    remedy:
      'Run `ledgerbridge db migrate` with DATABASE_OWNER_URL (the role that owns the tables) beside DATABASE_URL; a command that moves or removes records needs it too. See docs/how-to/deploy.md, "The database".',
  },
  DATABASE_SCHEMA_CHANGED: {
    disposition: 'stop',
    meaning: 'A migration file differs from the one that was applied to the database.',
    remedy:
      'Install a released version of the bridge unchanged; a migration is never edited after its release.',
  },
  DATABASE_SCHEMA_FOREIGN: {
    disposition: 'stop',
    meaning: 'The database holds a migration that belongs to no version of this line.',
    remedy:
      'Check that DATABASE_URL names the right database, and that no development build was run against it.',
  },
  DATABASE_SCHEMA_NEWER: {
    disposition: 'stop',
    meaning: 'A newer bridge changed the database in a way that this version does not understand.',
    remedy: 'Upgrade this process to the same version as the others.',
  },
  DATABASE_SCHEMA_UNFINISHED: {
    disposition: 'stop',
    meaning: 'Another tool began a migration and did not finish it.',
    remedy:
      'See `prisma migrate resolve`, or restore the database from a backup, then run `ledgerbridge db migrate`.',
  },
  DIRECTORY_NOT_WRITABLE: {
    disposition: 'stop',
    exit: 'unavailable',
    meaning: 'A directory that the bridge keeps things in cannot be written.',
    remedy:
      'Let the user of the bridge write there (owner, read-only disk, room), or set the variable that the message names to another place.',
  },
  DATA_DIRECTORY_IN_USE: {
    disposition: 'stop',
    meaning: 'Another bridge works on the same data directory.',
    remedy:
      'Stop the process named in the message, or give this bridge its own directory with LEDGERBRIDGE_DATA; to run several, set DATABASE_URL.',
  },
  EMBEDDED_DATABASE_MISSING: {
    disposition: 'stop',
    meaning: 'The embedded PostgreSQL is not installed for this machine.',
    remedy:
      'Run `npm ci` again without --omit=optional and with install scripts allowed, or set DATABASE_URL to a PostgreSQL server.',
  },
  EMBEDDED_DATABASE_USER: {
    disposition: 'stop',
    meaning: 'The bridge runs as root and found no user to run the embedded PostgreSQL as.',
    remedy: 'Run the bridge as an ordinary user, or create one with `useradd --system postgres`.',
  },
  EMBEDDED_DATABASE_PERMISSION: {
    disposition: 'stop',
    meaning: 'The data directory cannot be used by this user.',
    remedy:
      'Run as the user who owns it, correct its permissions, or name another directory with LEDGERBRIDGE_DATA.',
  },
  EMBEDDED_DATABASE_DISK: {
    disposition: 'stop',
    meaning: 'The disk that holds the data directory is full.',
    remedy: 'Make room; the records are intact and the bridge goes on from them.',
  },
  EMBEDDED_DATABASE_VERSION: {
    disposition: 'stop',
    meaning: 'The data directory was written by another major version of PostgreSQL.',
    remedy:
      'Install that version of PostgreSQL (Debian: `apt install postgresql-NN`). To change versions, dump the database with pg_dump and restore it into a new data directory.',
  },
  EMBEDDED_DATABASE_PASSWORD: {
    disposition: 'stop',
    meaning: 'The password kept in the data directory is not the one of the embedded PostgreSQL.',
    remedy: 'Put back the `password` file that belongs to this data directory, for example from a backup.',
  },
  EMBEDDED_DATABASE_START: {
    disposition: 'stop',
    meaning: 'The embedded PostgreSQL did not start.',
    remedy:
      'Read the reason in the message and the log in the data directory (postgres/cluster/log); often the disk is full or files changed owner.',
  },
  BACKUP_NOT_POSSIBLE: {
    disposition: 'stop',
    meaning: 'The embedded database could not be backed up or restored.',
    remedy:
      'Do what the message says. A database named by DATABASE_URL is backed up with pg_dump: docs/how-to/deploy.md, "Backup".',
  },
  EMBEDDED_DATABASE_STOP: {
    disposition: 'stop',
    meaning: 'The embedded PostgreSQL did not stop when asked.',
    remedy: 'Look at the process named in the message; its data is safe, as every commit is on disk.',
  },
  ARCHIVE_UNREADABLE: {
    disposition: 'stop',
    exit: 'problems',
    meaning: 'A file of what was moved out of the database is not there, or is not what was written.',
    remedy: 'Bring the file back from a backup, or name its directory with `--from`.',
  },
  ARCHIVE_UNCERTIFIED: {
    disposition: 'stop',
    exit: 'problems',
    meaning: 'Nothing was moved out, because some of these days are in no certificate.',
    remedy:
      'Close the period first (`ledgerbridge close`, or `ledgerbridge archive` for the auditor), or say `--uncertified`.',
  },
} as const satisfies ErrorTable;
