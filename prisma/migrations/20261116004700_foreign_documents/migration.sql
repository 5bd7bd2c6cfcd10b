-- Documents in other currencies are few and looked for; those in krónur, which are nearly all, are not in it and cost nothing.
CREATE INDEX "document_foreign_idx" ON "document" ("currency", "id") WHERE "currency" <> 'ISK';
