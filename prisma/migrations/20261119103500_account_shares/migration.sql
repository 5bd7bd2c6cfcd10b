-- Which process may have how many calls under way at an account of the invoicing service, as JSON; each part runs out by itself.
CREATE TABLE "account_share" (
  -- Tenant, service and user name or client.
  "account" TEXT NOT NULL PRIMARY KEY,
  "parts" TEXT NOT NULL,
  -- Rises with every change: whoever read an older one is refused.
  "version" INTEGER NOT NULL
);
