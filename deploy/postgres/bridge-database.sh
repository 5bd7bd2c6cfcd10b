#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: one role owns the database and migrates it, the other is the bridge's and owns nothing.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres \
  --set=owner="$(cat /run/secrets/owner_password)" --set=bridge="$(cat /run/secrets/bridge_password)" <<'SQL'
CREATE ROLE ledgerbridge LOGIN PASSWORD :'owner' NOSUPERUSER NOCREATEROLE NOCREATEDB;
CREATE ROLE ledgerbridge_runtime LOGIN PASSWORD :'bridge' NOSUPERUSER NOCREATEROLE NOCREATEDB;
CREATE DATABASE ledgerbridge OWNER ledgerbridge ENCODING 'UTF8';
SQL
