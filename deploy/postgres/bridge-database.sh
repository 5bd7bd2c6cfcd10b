#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: the bridge has a role of its own, which owns its database and is no superuser.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres --set=password="$(cat /run/secrets/bridge_password)" <<'SQL'
CREATE ROLE ledgerbridge LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEROLE NOCREATEDB;
CREATE DATABASE ledgerbridge OWNER ledgerbridge ENCODING 'UTF8';
SQL
