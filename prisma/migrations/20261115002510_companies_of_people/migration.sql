-- People and tokens that may see some companies only. Whoever is there already goes on seeing all of them.
ALTER TABLE "dashboard_user" ADD COLUMN "confined" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "user_company" (
    "user_id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "user_company_pkey" PRIMARY KEY ("user_id", "tenant_name")
);

ALTER TABLE "user_company" ADD CONSTRAINT "user_company_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "api_token" ADD COLUMN "confined" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "api_token" ADD COLUMN "companies" TEXT[];

-- What the schema language cannot say.
ALTER TABLE "user_company" ADD CONSTRAINT "user_company_role" CHECK ("role" IN ('viewer', 'operator', 'admin'));
